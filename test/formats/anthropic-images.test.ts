import type { MediaPart } from "@palimpsest/core"
import { countMessage, defaultAccounting, estimateCounter } from "@palimpsest/core"
import { conversation } from "@palimpsest/core/formats"
import { anthropic, anthropicFor } from "@palimpsest/core/formats/anthropic"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import * as pictures from "./Pictures.ts"

const block = (data: string, media_type = "image/png") => ({
  type: "image",
  source: { type: "base64", media_type, data },
})

const readOf = (data: string): MediaPart | undefined => {
  const read = anthropic.decode([{ role: "user", content: [block(data)] }])
  const [part] = read.ok ? (read.conversation.items[0]?.message.parts ?? []) : []
  return part?.type === "media" ? part : undefined
}

const sizeOf = (data: string) => {
  const { width, height } = readOf(data) ?? {}
  return [width, height]
}

const side = fc.integer({ min: 1, max: 16_383 })
const SEED = { seed: 20_261_202, numRuns: 200 }

describe("sizes of images", () => {
  it.each([
    ["PNG", pictures.png],
    ["GIF", pictures.gif],
    ["JPEG", pictures.jpeg],
    ["lossy WebP", pictures.webpLossy],
    ["lossless WebP", pictures.webpLossless],
    ["extended WebP", pictures.webpExtended],
  ])("are read from the first bytes of a %s", (_, make) => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        assert.deepStrictEqual(sizeOf(make(width, height)), [width, height])
      }),
      SEED,
    )
  })

  it("are found behind what a camera writes before them", () => {
    assert.deepStrictEqual(sizeOf(pictures.jpeg(4_000, 3_000, 60_000)), [4_000, 3_000])
  })

  it("are not known for data that is cut off, of another kind, or of no size", () => {
    const whole = pictures.png(640, 480)
    for (const data of [
      "",
      "A",
      whole.slice(0, 26),
      "aGVsbG8=",
      "/9j/",
      "####",
      pictures.png(0, 9),
      "UklGRg==",
    ])
      assert.deepStrictEqual(sizeOf(data), [undefined, undefined])
  })

  it("are read of anything without an exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uint8Array(), (text, bytes) => {
        sizeOf(text)
        sizeOf(Buffer.from(bytes).toString("base64"))
        sizeOf(`/9j/${Buffer.from(bytes).toString("base64")}`)
      }),
      SEED,
    )
  })

  it("make the price of an image known, and leave what is written as it was", () => {
    const wire = [{ role: "user", content: [block(pictures.png(1024, 1024))] }]
    const read = anthropic.decode(wire)
    if (!read.ok) assert.fail(read.reason)
    const [item] = read.conversation.items
    assert.deepStrictEqual<unknown>(anthropic.encode(read.conversation).request.messages, wire)
    assert.isUndefined(item?.raw)
    const price = item === undefined ? 0 : countMessage(item.message, estimateCounter, defaultAccounting)
    assert.isAbove(price, 764)
    assert.isBelow(price, 776)
  })
})

describe("images that are sent", () => {
  const write = (part: Omit<MediaPart, "type">) => {
    const { request, losses } = anthropic.encode(
      conversation([{ role: "user", parts: [{ type: "media", ...part }] }]),
    )
    return { content: request.messages[0]?.content, losses: losses.length }
  }

  it.each([
    [
      "a data URL",
      { mediaType: "image/*", data: "data:image/webp;base64,aGVs" },
      block("aGVs", "image/webp"),
      0,
    ],
    ["a type by another name", { mediaType: "image/jpg", data: "aGVs" }, block("aGVs", "image/jpeg"), 0],
    [
      "an address",
      { mediaType: "image/png", data: "https://a.b/c.png" },
      { type: "image", source: { type: "url", url: "https://a.b/c.png" } },
      0,
    ],
    ["a name", { mediaType: "image/png", data: "aGVs", name: "login" }, block("aGVs"), 1],
    ["a detail", { mediaType: "image/png", data: "aGVs", detail: "low" as const }, block("aGVs"), 1],
  ])("%s", (_, part, expected, losses) => {
    assert.deepStrictEqual(write(part), { content: [expected], losses })
  })

  it.each([
    ["a type that is not taken", { mediaType: "image/svg+xml", data: "aGVs" }],
    ["an address that is not of the web", { mediaType: "image/png", data: "gs://bucket/a.png" }],
    ["sound", { mediaType: "audio/wav", data: "aGVs" }],
    ["no data", { mediaType: "image/png", data: "" }],
  ])("a placeholder instead of %s", (_, part) => {
    assert.deepStrictEqual(write(part), { content: `[${part.mediaType}: cannot be sent here]`, losses: 1 })
  })
})

describe("images above the limits", () => {
  const requestOf = (...images: ReadonlyArray<string>) => ({
    messages: [{ role: "user", content: images.map((data) => block(data)) }],
  })
  const keptOf = (request: unknown): ReadonlyArray<boolean> => {
    const content = anthropic.repair(request).request.messages[0]?.content
    return Array.isArray(content) ? content.map(({ type }) => type === "image") : []
  }
  const times = (n: number, data: string) => Array.from({ length: n }, () => data)

  it("the one with too long a side goes", () => {
    assert.deepStrictEqual(keptOf(requestOf(pictures.png(9_000, 1), pictures.png(1, 1))), [false, true])
  })

  it("the oldest go when there are too many", () => {
    const kept = keptOf(requestOf(...times(102, pictures.png(1, 1))))
    assert.deepStrictEqual(kept, [false, false, ...Array.from({ length: 100 }, () => true)])
  })

  it("among many, the large ones or the oldest go: whichever are fewer", () => {
    const [large, small] = [pictures.png(3_000, 1), pictures.png(1, 1)]
    assert.deepStrictEqual(keptOf(requestOf(large, ...times(30, small))), [
      false,
      ...Array.from({ length: 30 }, () => true),
    ])
    assert.deepStrictEqual(keptOf(requestOf(small, ...times(20, large))), [
      false,
      ...Array.from({ length: 20 }, () => true),
    ])
  })

  it("a larger window takes more of them", () => {
    const request = requestOf(...times(101, pictures.png(1, 1)))
    assert.deepStrictEqual(anthropicFor({ window: 1_000_000 }).validate(request), [])
    assert.deepStrictEqual(
      anthropicFor({ window: 200_000 })
        .validate(request)
        .map(({ rule }) => rule),
      ["AN20"],
    )
  })

  it("leave a text that names them in their place, with its cache breakpoint", () => {
    const marked = { cache_control: { type: "ephemeral" } }
    const { request } = anthropic.repair({
      messages: [{ role: "user", content: [{ ...block(pictures.gif(9_000, 9), "image/gif"), ...marked }] }],
    })
    assert.deepStrictEqual<unknown>(request.messages[0]?.content, [
      { type: "text", text: "[image/gif: a side of more than 8000 pixels]", ...marked },
    ])
  })
})
