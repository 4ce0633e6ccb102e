/** The table of cases: each one is tested where the table says, and none that is tested is missing. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const docs = join(root, "docs")

/** Folders whose tests may be of cases: a store's contract runs on every store. */
const folders = [
  "test/cases",
  "test/engine",
  "test/store",
  "test/adapter-llm",
  "test/adapter-pg/suites",
  "packages/core/src/testing/contract",
].map((folder) => join(root, folder))

/** How many cases there are of the classes in which each title begins with the id of its case. */
const complete = new Map([
  ["RACE", 6],
  ["STORE", 13],
  ["CACHE", 3],
  ["VIS", 5],
  ["FLUSH", 4],
  ["VEC", 3],
])

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

const classOf = (id: string): string => id.replace(/-\d+$/, "")

/** Whether a title of a file begins with the id of a case. */
const begins = (path: string, id: string): boolean =>
  new RegExp(`["'\`]${id}\\b`).test(readFileSync(path, "utf8"))

const isLaw = (path: string): boolean => path.endsWith("laws.test.ts")

describe("the table of cases", () => {
  it.each(table)("$id is a test in each file that is named for it", ({ id, files }) => {
    assert.isAbove(files.length, 0)
    for (const path of files.filter((one) => !isLaw(one))) assert.include(named(join(docs, path)), id, path)
    assert.isTrue(files.some((path) => !isLaw(path)))
  })

  it("holds every case that has a test", () => {
    const tested = folders
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((path) => path.endsWith(".ts") && !path.endsWith("table.test.ts"))
      .flatMap(named)
    const known = new Set(table.map(({ id }) => id))
    assert.deepStrictEqual(
      tested.filter((id) => !known.has(id)),
      [],
    )
    assert.strictEqual(known.size, table.length)
  })

  it.each([...complete])("%s has its %i cases, and titles begin with them", (name, count) => {
    const cases = table.filter(({ id }) => classOf(id) === name)
    assert.lengthOf(cases, count)
    for (const { id, files } of cases)
      for (const path of files.filter((one) => !isLaw(one)))
        assert.isTrue(begins(join(docs, path), id), `${id} in ${path}`)
  })

  it.each([...complete.keys()])("%s names each file in which one of its cases is tested", (name) => {
    for (const path of folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file))))
      for (const id of path.endsWith(".ts") && !path.endsWith("table.test.ts") ? named(path) : [])
        if (classOf(id) === name)
          assert.isTrue(
            table.some(
              (listed) => listed.id === id && listed.files.some((file) => join(docs, file) === path),
            ),
            `${id} in ${path}`,
          )
  })
})
