/** What JSON cannot hold: the bytes and the addresses of files. */
import { messagesIn } from "@palimpsest/core/formats"
import { type AiSdkRequest, aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { assert, describe, it } from "vitest"
import { decoded, throughStore } from "./AiSdkKit.ts"

const bytes = [0, 1, 254, 255]

const withFile = (data: unknown): AiSdkRequest => ({
  messages: [
    { role: "user", content: [{ type: "file", mediaType: "image/png", data }] },
    { role: "user", content: [{ type: "image", image: data }] },
  ],
})

const dataIn = ({ messages }: AiSdkRequest): ReadonlyArray<unknown> =>
  messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.map(({ data, image }) => data ?? image),
  )

describe("the data of a file", () => {
  it.each<[string, unknown]>([
    ["bytes", new Uint8Array(bytes)],
    ["a buffer of Node", Buffer.from(bytes)],
    ["a buffer of the language", new Uint8Array(bytes).buffer],
    ["an address", new URL("https://example.org/a.png?b=1#c")],
    ["base64", "AAH+/w=="],
    ["a data URL", "data:image/png;base64,AAH+/w=="],
    ["bytes in the form of a newer version", { type: "data", data: new Uint8Array(bytes) }],
    ["an address in the form of a newer version", { type: "url", url: new URL("https://example.org/a.png") }],
    ["text in the form of a newer version", { type: "text", text: "a" }],
  ])("comes out of a store as the kind of value that it was: %s", (_, data) => {
    const request = withFile(data)
    const again = throughStore(request)
    assert.deepStrictEqual(again, request)
    for (const each of dataIn(again))
      assert.strictEqual(Object.getPrototypeOf(each)?.constructor, Object.getPrototypeOf(data)?.constructor)
  })

  it("is not taken for a tag when it looks like one", () => {
    for (const data of [
      { $bytes: "AAEC" },
      { $url: "https://example.org" },
      { $value: { $bytes: "AAEC" } },
    ]) {
      const request = withFile({ type: "data", data })
      assert.deepStrictEqual(throughStore(request), request)
    }
  })

  it("is read as base64 or an address, whichever kind of value it was", () => {
    const read = (data: unknown) =>
      messagesIn(decoded(withFile(data).messages)).map(({ parts }) =>
        parts[0]?.type === "media" ? parts[0].data : null,
      )
    assert.deepStrictEqual(read(new Uint8Array(bytes)), ["AAH+/w==", "AAH+/w=="])
    assert.deepStrictEqual(read(new URL("https://example.org/a.png")), [
      "https://example.org/a.png",
      "https://example.org/a.png",
    ])
  })

  it("refuses what is neither a text nor bytes nor an address", () => {
    for (const data of [7, null, undefined, {}, [1, 2], { $bytes: 7 }, new Map()]) {
      const request = withFile(data)
      assert.isFalse(aiSdk.decode(request).ok)
      assert.deepStrictEqual(
        aiSdk.validate(request).map(({ rule }) => rule),
        ["shape"],
      )
      assert.deepStrictEqual(aiSdk.validate(aiSdk.repair(request).request), [])
    }
  })

  it("is given as it was after a repair of another message", () => {
    const [first, second] = withFile(new Uint8Array(bytes)).messages
    const { request } = aiSdk.repair({ messages: [first, { role: "user", content: " " }, second] })
    assert.deepStrictEqual(dataIn(request).filter((data) => data instanceof Uint8Array).length, 2)
  })
})
