import { type CountedPrompt, calibrate, estimatorError, newestReadings } from "@palimpsest/core"
import { estimatorTable } from "@palimpsest/examples/replay/EstimatorTable"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const RUNS = { numRuns: 200, seed: 20_261_202 }

const prompt = (real: number, more: Partial<CountedPrompt> = {}): CountedPrompt => ({
  model: "m",
  script: "latin",
  estimated: 10_000,
  reported: real,
  ...more,
})

const arbitraryPrompt: fc.Arbitrary<CountedPrompt> = fc.record({
  model: fc.constantFrom("m", "n"),
  script: fc.constantFrom("latin" as const, "han" as const, "code" as const),
  estimated: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(Number.NaN, -1, 1e300)),
  reported: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.constantFrom(Number.NaN, -1, 1e300)),
  chat: fc.constantFrom("a", "b"),
  boundary: fc.constantFrom(null, "cut"),
})

const arbitraryPrompts = fc.array(arbitraryPrompt, { maxLength: 40, size: "max" })

/** The same by its definition: every earlier reading of the same chat is handed to `calibrate`. */
const byDefinition = (prompts: ReadonlyArray<CountedPrompt>): ReadonlyArray<number> =>
  prompts.flatMap(({ model, estimated, reported, boundary = null, chat }, i) => {
    if (!(estimated >= 0 && reported > 0)) return []
    const target = { model, counter: "c", boundary }
    const readings = prompts
      .slice(0, i)
      .filter((one) => one.chat === chat)
      .map((one) => ({
        ...target,
        model: one.model,
        boundary: one.boundary ?? null,
        estimated: one.estimated,
        real: one.reported,
      }))
    const { factor } = calibrate(readings, target)
    return [Math.round(((factor * estimated) / reported - 1) * 1000) / 1000]
  })

describe("the error of estimates", () => {
  it("is none where nothing was reported", () => {
    assert.deepStrictEqual(estimatorError([]), [])
    assert.deepStrictEqual(estimatorError([prompt(0), prompt(Number.NaN), prompt(-3)]), [])
    assert.deepStrictEqual(estimatorError([prompt(10, { estimated: Number.POSITIVE_INFINITY })]), [])
  })

  it("is judged one step ahead: the first prompt of a chat has nothing to learn from", () => {
    const [row] = estimatorError([prompt(12_500), prompt(12_500), prompt(12_500)])
    assert.deepStrictEqual(row?.before, { lowest: -0.2, median: -0.2, highest: -0.2 })
    assert.deepStrictEqual(row?.after, { lowest: -0.2, median: 0, highest: 0 })
  })

  it("a prompt does not teach its own judgement, however far off it is", () => {
    const [row] = estimatorError([prompt(10_000), prompt(10_000), prompt(20_000)])
    assert.deepStrictEqual(row?.after, row?.before)
  })

  it("chats, models and boundaries teach nothing of each other; scripts of a chat do", () => {
    const apart = [{ chat: "b" }, { model: "n" }, { boundary: "cut" }] as const
    for (const other of apart)
      for (const row of estimatorError([prompt(20_000), prompt(20_000, other)]))
        assert.deepStrictEqual(row.after, row.before)
    const rows = estimatorError([prompt(20_000), prompt(20_000, { script: "code" })])
    assert.deepStrictEqual(
      rows.map(({ script, after }) => [script, after.median]),
      [
        ["code", 0],
        ["latin", -0.5],
      ],
    )
  })

  it("forgets all but the newest readings", () => {
    const old = Array.from({ length: 9 }, () => prompt(20_000))
    const recent = Array.from({ length: newestReadings }, () => prompt(10_000))
    const rows = estimatorError([...old, ...recent, prompt(10_000, { script: "han" })])
    assert.deepStrictEqual(
      rows.find(({ script }) => script === "han")?.after,
      rows.find(({ script }) => script === "han")?.before,
    )
  })

  it("every prompt with both counts is in one row, and no row is of two models or scripts", () => {
    fc.assert(
      fc.property(arbitraryPrompts, (prompts) => {
        const rows = estimatorError(prompts)
        const usable = prompts.filter(({ estimated, reported }) => estimated >= 0 && reported > 0)
        const names = rows.map(({ model, script }) => `${model} ${script}`)
        return (
          rows.reduce((sum, { calls }) => sum + calls, 0) === usable.length &&
          new Set(names).size === names.length &&
          names.every((name, i) => name > (names[i - 1] ?? ""))
        )
      }),
      RUNS,
    )
  })

  it("is what the budget of each prompt would have had: that of all readings before it", () => {
    fc.assert(
      fc.property(arbitraryPrompts, (given) => {
        const prompts = given.map((one) => ({ ...one, script: "latin" as const, model: "m" }))
        const errors = byDefinition(prompts).toSorted((a, b) => a - b)
        const [row] = estimatorError(prompts)
        return (
          errors.length === (row?.calls ?? 0) &&
          (row === undefined ||
            (row.after.lowest === errors[0] &&
              row.after.highest === errors.at(-1) &&
              row.after.median === errors[errors.length >> 1]))
        )
      }),
      RUNS,
    )
  })

  it("takes a hundred thousand prompts of one chat", () => {
    const prompts = Array.from({ length: 100_000 }, (_, i) => prompt(10_000 + (i % 7) * 1000))
    assert.strictEqual(estimatorError(prompts)[0]?.calls, 100_000)
  })
})

describe("the table of errors", () => {
  it("tells the median, and between what it lies", () => {
    const rows = estimatorError([
      ...Array.from({ length: 1500 }, () => prompt(12_500)),
      prompt(9_000, { model: "claude", script: "code" }),
    ])
    assert.strictEqual(
      estimatorTable(rows, 120),
      [
        "model   script  calls  error before  error after",
        "claude  code        1  +11.1 %       +11.1 %",
        "m       latin   1,500  −20.0 %       0.0 % (−20.0 % … 0.0 %)",
      ].join("\n"),
    )
  })

  it("is empty when nothing was reported, and no wider than it may be", () => {
    assert.strictEqual(estimatorTable([]), "")
    const wide = estimatorTable(estimatorError([prompt(9_000, { model: "m".repeat(200) })]), 40)
    assert.isTrue(wide.split("\n").every((line) => line.length <= 40))
  })
})
