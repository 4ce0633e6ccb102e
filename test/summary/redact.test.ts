import { identifiers, oneLine, redact } from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"

describe("redact", () => {
  it.each([
    ["key sk-test-4f9a8b7c6d5e4f3a.", "key [redacted api-key]."],
    ["sk_live_4f9a8b7c6d5e", "[redacted api-key]"],
    ["ghp_AAAA1111BBBB2222CCCC", "[redacted github-token]"],
    ["github_pat_11AAAA_bbbbCCCCdddd", "[redacted github-token]"],
    ["id AKIAIOSFODNN7EXAMPLE", "id [redacted aws-key]"],
    ["xoxb-1234567890-abcdef", "[redacted slack-token]"],
    [`token: ${JWT} ok`, "token: [redacted jwt] ok"],
    ["Authorization: Bearer abcDEF0123456789abcd", "Authorization: Bearer [redacted bearer-token]"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted password]"],
    ["postgres://bob:hunter2@db.test/x", "postgres://bob:[redacted password]@db.test/x"],
    ["https://x.test/?token=abcdef123&page=2", "https://x.test/?token=[redacted value]&page=2"],
    ["API_KEY=abcdef123", "API_KEY=[redacted value]"],
    ['{"password": "hunter2", "user": "bob"}', '{"password": "[redacted value]", "user": "bob"}'],
    ['{\\"api_key\\":\\"abcdef123\\"}', '{\\"api_key\\":\\"[redacted value]\\"}'],
    [
      "a -----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG\\n-----END PRIVATE KEY----- b",
      "a [redacted pem] b",
    ],
    ["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nand so on", "[redacted pem]\nand so on"],
  ])("%s", (text, clean) => assert.strictEqual(redact(text), clean))

  it.each([
    "The task-1234567890123 is done",
    "class sk-cube-grid",
    "tokens=120 and max_tokens=4000",
    "Bearer of bad news",
    "a basic understanding of the password: none",
    "mailto:bob@example.com",
    "http://localhost:8080/a?x=1@2",
    "monkey=bananas",
  ])("leaves alone: %s", (text) => assert.strictEqual(redact(text), text))

  const piece = fc.constantFrom(
    "sk-test-4f9a8b7c6d5e4f3a",
    "ghp_AAAA1111BBBB2222CCCC",
    "AKIAIOSFODNN7EXAMPLE",
    "xoxb-1234567890-abcdef",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    JWT,
    "bearer ",
    "token=",
    '"password": "',
    "https://u:p@",
    "://a:",
    "-----BEGIN KEY-----",
    "-----END KEY-----",
    "[redacted value]",
    " ",
    "-",
    "\n",
    "&",
    "word",
    "12345678",
  )

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = redact(pieces.join(""))
        return redact(once) === once
      }),
      { numRuns: 5000 },
    )
  })
})

describe("identifiers", () => {
  it.each<readonly [string, ReadonlyArray<string>]>([
    ["see src/a/b.ts:42, README.md and ./run", ["src/a/b.ts:42", "README.md", "./run"]],
    ["C:\\Users\\bob\\x.txt", ["C:\\Users\\bob\\x.txt"]],
    ["order ord_9f3 (#W2378156) for mia_li_3668", ["ord_9f3", "W2378156", "mia_li_3668"]],
    ["error TS2345 at https://x.test/a?b=1.", ["TS2345", "https://x.test/a?b=1"]],
    ["mail bob@example.com", ["bob@example.com"]],
    ["12345 of 99, v1.2.3, 1.2.3, 3.14", ["12345", "v1.2.3", "1.2.3"]],
    ["run --force with MAX_TOKENS", ["--force", "MAX_TOKENS"]],
    ["订单ord_9f3已发货。路径src/a.ts", ["ord_9f3", "src/a.ts"]],
    ["and/or, e.g. input/output on the 2nd, 50% in 100ms", []],
    [`${"x".repeat(300)}1`, []],
  ])("%s", (text, found) => assert.deepStrictEqual(identifiers(text), found))
})

describe("time", () => {
  const M = 1_000_000
  it.each([
    "a",
    "sk-",
    "eyJaaaaaaaa-",
    "eyJaaaaaaaa.",
    "eyJaaaaaaaa.aaaaaaaa.",
    "://a:",
    "http://a:b",
    "-----BEGIN KEY-----",
    "-----BEGIN KEY-----AAAAAAAAAAAAAAAA\n",
    "-----END KEY-----",
    "bearer ",
    "token=",
    '"password" : "',
    "data:a/b;base64,",
    "a_",
    "/",
    "a.b",
    "\\",
    "@a.",
    " ",
    "\n",
    "[row ",
    "漢",
    "ghp_",
    "authorization: ",
  ])("a megabyte of %j is quick", (unit) => {
    const text = unit.repeat(Math.ceil(M / unit.length))
    const start = performance.now()
    redact(text)
    identifiers(text)
    oneLine(text)
    assert.isBelow(performance.now() - start, 4000)
  })
})
