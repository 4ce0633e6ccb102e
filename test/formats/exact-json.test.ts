/** JSON with exact numbers beside strings that look like them, and beside very long ones. */
import { readExact, writeExact } from "@palimpsest/core/formats"
import { assert, describe, it } from "vitest"

describe("exact JSON", () => {
  it("takes no string for a number, however it is escaped", () => {
    const text = '{"a":"\\u0065xact:9","n":1.0}'
    assert.strictEqual(writeExact(readExact(text)), '{"a":"exact:9","n":1.0}')
  })
  it.each(["s", "n1", "", "n", '"', "\\", "\\\\", "exact:1"])(
    "keeps the string %j and the key beside it",
    (own) => {
      const text = `{${JSON.stringify(own)} : ${JSON.stringify(own)},"list":[${JSON.stringify(own)},1.50]}`
      assert.strictEqual(writeExact(readExact(text)), text.replace(" : ", ":"))
    },
  )
  it("reads a string of millions of escapes, and one made of marks, in linear time", () => {
    for (const long of ["\\n".repeat(4_000_000), `${"exact".repeat(200_000)}:`])
      assert.isObject(readExact(`{"a":"${long}","n":1.0}`))
  })
})
