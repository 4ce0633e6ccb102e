import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readExact } from "@palimpsest/core/formats"
import { beforeAll, describe, expect, it } from "vitest"
import { targets } from "../commands/fuzz/Formats.ts"
import { fuzz } from "../commands/fuzz/Fuzz.ts"
import { inputOf } from "../commands/fuzz/Inputs.ts"
import { ALLOWED, judge } from "../commands/fuzz/Judge.ts"
import { type Seeds, seedsOf } from "../commands/fuzz/Seeds.ts"
import type { Target, Verdict } from "../commands/fuzz/Target.ts"
import { projectRoot } from "../commands/Root.ts"

const SEED = 20_261_202
/** Inputs of each format: some seconds for all. */
const INPUTS = 15

/** Samples and the chats of the examples: recorded files take long to read. */
const someSeeds = (): Seeds => seedsOf(targets, SEED, [join(projectRoot, "examples/chats")])

let seeds: Seeds
beforeAll(() => {
  seeds = someSeeds()
})

const sound: Verdict = "read"

/** A reader of files that is broken in a way. */
const broken = (check: (text: string) => unknown): Target => ({
  name: "broken",
  takes: "text",
  reads: () => false,
  check: (input) => {
    check(String(input))
    return sound
  },
})

const waysOf = (target: Target, inputs = 60) =>
  fuzz([target], seeds, { seed: SEED, inputs }).found.map(({ kind, smallest }) => [kind, smallest])

describe("the fuzzer", () => {
  it(`finds nothing in ${INPUTS} inputs of each format`, () => {
    const { tallies, found } = fuzz(targets, seeds, { seed: SEED, inputs: INPUTS * targets.length })
    expect(found).toEqual([])
    expect(tallies.filter(({ read, refused }) => read === 0 || refused === 0)).toEqual([])
  })

  it("has every format that the core exports", () => {
    const manifest = readExact(readFileSync(join(projectRoot, "packages/core/package.json"), "utf8"))
    const exported = Object.keys(Object(manifest).exports).flatMap((path) =>
      path.startsWith("./formats/") ? [path.slice("./formats/".length)] : [],
    )
    expect(exported.filter((name) => !targets.some((target) => target.name === name))).toEqual([])
  })

  it("makes the same input of a seed and a number each time", () => {
    const again = someSeeds()
    for (const target of targets)
      for (const n of [0, 7, 99])
        expect(inputOf(target, again, SEED, n)).toEqual(inputOf(target, seeds, SEED, n))
  })

  it("sees an exception, and makes its input as small as it can", () => {
    const throws = broken((text) => {
      if (text.includes("role")) throw new TypeError("no role")
    })
    expect(waysOf(throws)).toEqual([["throws TypeError: no role", "role"]])
  })

  it("sees that an input got into what all objects have", () => {
    const pollutes = broken((text) => {
      if (text.includes("role")) Reflect.set(Object.prototype, "polluted", true)
    })
    expect(waysOf(pollutes)).toEqual([["pollutes", "role"]])
    expect("polluted" in {}).toBe(false)
  })

  it("sees an input that takes too long, and stops what never ends", () => {
    const slow = broken(() => {
      const start = process.cpuUsage()
      while (process.cpuUsage(start).user < ALLOWED.start * 2000);
    })
    expect(judge(slow, "").verdict).toMatchObject({ kind: "slow" })
    const hangs = broken(() => {
      for (;;);
    })
    expect(judge(hangs, "", 200).verdict).toMatchObject({ kind: "hangs" })
  })
})
