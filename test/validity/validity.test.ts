import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { allRules } from "./AllRules.ts"

const at = (path: string): URL => new URL(`../${path.replace(/^test\//, "")}`, import.meta.url)

for (const { title, format, cases, elsewhere } of allRules)
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

    for (const { rule, file, accepts, refuses } of elsewhere)
      it(`${rule} is shown in ${file}`, () => {
        const text = readFileSync(at(file), "utf8")
        expect(text).toContain(accepts)
        expect(text).toContain(refuses)
      })
  })
