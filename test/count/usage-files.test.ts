/** Every usage object of the recorded chats is read, and agrees with the total beside it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readUsage } from "@palimpsest/core"
import { assert, describe, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")

/** Folders whose files carry the provider's usage. */
const FOLDERS = [
  "claude-code",
  "codex-rollout",
  "gemini-cli",
  "pi",
  "provider-chunks",
  "tau2",
  "format-fixture",
]

/** Fields under which the usage of one request is kept. */
const NAMES = new Set(["usage", "usageMetadata", "last_token_usage", "tokens"])

const TOTALS = ["total_tokens", "totalTokens", "totalTokenCount", "total"]

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const usagesIn = (value: unknown): ReadonlyArray<object> =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) =>
        NAMES.has(name) && isObject(inner) && !Array.isArray(inner) ? [inner] : usagesIn(inner),
      )
    : []

const parsed = (text: string): ReadonlyArray<unknown> => {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** The values of a JSON file, or of the lines that are JSON. */
const valuesIn = (text: string): ReadonlyArray<unknown> => {
  const whole = parsed(text)
  return whole.length > 0 ? whole : text.split("\n").flatMap((line) => parsed(line.replace(/^data: /, "")))
}

const totalOf = (usage: object): number | null => {
  const total = TOTALS.map((name): unknown => Reflect.get(usage, name)).find((one) => one !== undefined)
  return typeof total === "number" && total > 0 ? total : null
}

const folders = FOLDERS.filter((name) => existsSync(join(ROOT, name)))
if (folders.length === 0) console.log(`no recorded chats in ${ROOT}: their usage is not read`)

describe.skipIf(folders.length === 0)("usage in recorded chats", () => {
  it.each(folders)("%s", (folder) => {
    const usages = readdirSync(join(ROOT, folder))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8"))
      .flatMap(valuesIn)
      .flatMap(usagesIn)
    assert.isAbove(usages.length, 0)
    for (const usage of usages) {
      const read = readUsage(usage)
      if (read._tag === "Unusable") assert.strictEqual(read.reason, "Zero", JSON.stringify(usage))
      else if (read._tag === "Measured")
        assert.strictEqual(read.context, totalOf(usage) ?? read.context, JSON.stringify(usage))
    }
  })
})
