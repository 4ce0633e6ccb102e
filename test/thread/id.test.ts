import {
  assistant,
  canonicalJson,
  digestRows,
  type MessageRow,
  markId,
  messageId,
  sha256,
  user,
  uuid5,
  uuidIn,
} from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const key = { tenant: "acme", chat: "7" }
const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
const V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const row = (id: string, text: string): MessageRow => ({
  kind: "message",
  id,
  position: 1,
  message: user(text),
  tokens: 1,
  tokenizer: "t",
})

describe("uuidIn", () => {
  it.each([
    ["www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"],
    ["python.org", "886313e1-3b8a-5372-9b90-0c9aee199e5d"],
  ])("gives the published id of %s", (name, id) => {
    assert.strictEqual(uuidIn(DNS, name), id)
  })

  it("sets version and variant for any name", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => V5.test(uuid5(name))))
  })
})

describe("uuid5", () => {
  it("never changes: ids are stored", () => {
    assert.strictEqual(uuid5("palimpsest"), "0919c204-b9e7-5102-8750-a7ebe5f36637")
  })

  it("tells lone surrogates apart", () => {
    assert.strictEqual(new Set(["\ud800", "\udc00", "\ufffd"].map(uuid5)).size, 3)
  })
})

describe("markId", () => {
  it("differs in tenant, chat, kind, anchor and revision", () => {
    const ids = [
      markId(key, "summary", "m1", 0),
      markId({ ...key, tenant: "other" }, "summary", "m1", 0),
      markId({ ...key, chat: "8" }, "summary", "m1", 0),
      markId(key, "prune", "m1", 0),
      markId(key, "summary", "m2", 0),
      markId(key, "summary", "m1", 1),
      markId({ tenant: "acm", chat: "e7" }, "summary", "m1", 0),
    ]
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(markId(key, "summary", "m1", 0), ids[0])
  })
})

describe("messageId", () => {
  it("does not depend on the order of keys, and leaves out what is undefined", () => {
    const call = { id: "c1", name: "find", arguments: "{}" }
    const reversed = { arguments: "{}", name: "find", id: "c1" }
    assert.strictEqual(
      messageId(key, "", assistant("", [call])),
      messageId(key, "", assistant("", [reversed])),
    )
  })

  it("depends on the message before", () => {
    assert.notStrictEqual(messageId(key, "a", user("hi")), messageId(key, "b", user("hi")))
  })
})

describe("canonicalJson", () => {
  it.each([
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [undefined, "null"],
    [[undefined, 1n], '[null,"1"]'],
    ["\ud800", '"\\ud800"'],
    [{ é: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"é":1}'],
  ])("encodes value %#", (value, json) => {
    assert.strictEqual(canonicalJson(value), json)
  })

  it("gives back any JSON, whatever the order of its keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
        assert.strictEqual(canonicalJson(JSON.parse(text)), text)
      }),
    )
  })
})

describe("digests", () => {
  it("give the published SHA-256", () => {
    assert.strictEqual(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })

  it("see an edit, an id and an order", () => {
    const digests = [
      digestRows([row("a", "x"), row("b", "y")]),
      digestRows([row("b", "y"), row("a", "x")]),
      digestRows([row("a", "x"), row("b", "z")]),
      digestRows([row("a", "x"), row("c", "y")]),
      digestRows([row("a", "x")]),
      digestRows([]),
    ]
    assert.strictEqual(new Set(digests).size, digests.length)
  })

  it("take no notice of what is not content", () => {
    assert.strictEqual(
      digestRows([{ ...row("a", "x"), position: 9, tokens: 7 }]),
      digestRows([row("a", "x")]),
    )
  })
})
