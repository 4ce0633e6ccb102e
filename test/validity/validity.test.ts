import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { allRules } from "./AllRules.ts"
import { allSets } from "./AllSets.ts"

const folder = dirname(import.meta.dirname)

/** The text of a test file, and of the suites that it runs. */
const textOf = (file: string): string => {
  const path = join(dirname(folder), file)
  const text = readFileSync(path, "utf8")
  const suites = [...text.matchAll(/from "(\.\/suites\/[^"]+)"/g)].map(([, suite = ""]) =>
    readFileSync(join(dirname(path), suite), "utf8"),
  )
  return [text, ...suites].join("\n")
}

for (const { title, format, cases } of allRules.filter((rules) => rules.cases.length > 0))
  describe(title, () => {
    for (const { rule, accepts, refuses } of cases) {
      it(`${rule} accepts`, () => {
        expect(accepts.length).toBeGreaterThan(0)
        expect(accepts.map((request) => format.validate(request))).toEqual(accepts.map(() => []))
      })

      it(`${rule} refuses, and repair makes it valid`, () => {
        expect(refuses.length).toBeGreaterThan(0)
        for (const request of refuses) {
          expect(format.validate(request).map((found) => found.rule)).toContain(rule)
          const { request: repaired, repairs } = format.repair(request)
          expect(repairs.length).toBeGreaterThan(0)
          expect(format.validate(repaired)).toEqual([])
          expect(format.repair(repaired)).toEqual({ request: repaired, repairs: [] })
        }
      })
    }
  })

describe("rules that no single request shows", () => {
  for (const { title, elsewhere } of allSets)
    for (const { rule, file, accepts, refuses } of elsewhere)
      it(`${rule} (${title}) is shown in ${file}`, () => {
        const text = textOf(file)
        expect(text).toContain(accepts)
        expect(text).toContain(refuses)
      })
})
