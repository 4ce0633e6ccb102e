/** The table of cases: each one is tested where the table says, and none that is tested is missing. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const docs = join(import.meta.dirname, "../../docs")

interface Listed {
  readonly id: string
  readonly files: ReadonlyArray<string>
}

const table: ReadonlyArray<Listed> = readFileSync(join(docs, "cases.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, id = "", , where = ""] = line.split("|").map((cell) => cell.trim())
    if (!/^[A-Z]+-\d+$/.test(id)) return []
    return [{ id, files: [...where.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path) }]
  })

const classes = new Set(table.map(({ id }) => id.replace(/-\d+$/, "")))

/** The cases of these classes that the texts of a file name: titles, alone or in a list of titles. */
const named = (path: string): ReadonlyArray<string> =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap((line) => [...line.matchAll(/\b([A-Z]+)-\d+\b/g)])
    .flatMap(([id, name = ""]) => (classes.has(name) ? [id] : []))

const isLaw = (path: string): boolean => path.endsWith("laws.test.ts")

describe("the table of cases", () => {
  it.each(table)("$id is a test in each file that is named for it", ({ id, files }) => {
    assert.isAbove(files.length, 0)
    for (const path of files.filter((one) => !isLaw(one))) assert.include(named(join(docs, path)), id, path)
    assert.isTrue(files.some((path) => !isLaw(path)))
  })

  it("holds every case that has a test", () => {
    const tested = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap((name) => named(join(import.meta.dirname, name)))
    const known = new Set(table.map(({ id }) => id))
    assert.deepStrictEqual(
      tested.filter((id) => !known.has(id)),
      [],
    )
    assert.strictEqual(known.size, table.length)
  })
})
