import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { faultsOf, workOf } from "./Plan.ts"
import { type Planning, probe, type Seen } from "./Probe.ts"
import { askTheRest, takeStep } from "./Steps.ts"
import { endOf, restore } from "./Tables.ts"
import { keyOf, REWINDS, type Spec } from "./Threads.ts"

/** What a step costs, counted: no noise in it. */
export interface Cost {
  readonly statements: number
  /** Rows and bytes that the statements answered. */
  readonly answered: number
  readonly bytes: number
  /** Rows and pages that the database touched for them. */
  readonly rows: number
  readonly pages: number
}

const costOf = (seen: ReadonlyArray<Seen>): Cost => {
  const works = seen.map(({ plan }) => workOf(plan))
  const sum = (values: ReadonlyArray<number>) => values.reduce((all, one) => all + one, 0)
  return {
    statements: seen.length,
    answered: sum(seen.map(({ answered }) => answered)),
    bytes: sum(seen.map(({ bytes }) => bytes)),
    rows: sum(works.map(({ rows }) => rows)),
    pages: sum(works.map(({ pages }) => pages)),
  }
}

/** Rows beside a window that a statement may read: a page of a person who scrolls, with its marks. */
const BESIDE = 200

/** A page looks through the stretches that follow it; what a step asks does not. */
const mostOf = ({ window, shape }: Spec, operation: string): number =>
  window + BESIDE + (operation.endsWith(".page") && shape === "rewound" ? 3 * REWINDS : 0)

/** What one thread showed under one way of planning. */
export interface Explained {
  readonly step: Cost
  /** Texts of the statements that were explained. */
  readonly texts: ReadonlyArray<string>
  readonly faults: ReadonlyArray<string>
}

/** Explains every statement of a step, of a pass and of a person who scrolls, on one thread. */
export const explained = Effect.fnUntraced(function* (spec: Spec, planning: Planning) {
  const sql = yield* SqlClient
  const key = keyOf(spec)
  const step = yield* probe(sql, planning, takeStep(key))
  const rest = yield* probe(sql, planning, askTheRest(key, spec.window))
  const all = [...step, ...rest]
  const faults = all.flatMap(({ operation, plan }) =>
    faultsOf(plan, mostOf(spec, operation)).map(
      (fault) => `${operation} on "${key.chat}", ${planning} plan: ${fault}`,
    ),
  )
  const found: Explained = {
    step: costOf(step),
    texts: all.map(({ text }) => text),
    faults: [...new Set(faults)],
  }
  return found
})

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const timed = Effect.fnUntraced(function* (spec: Spec) {
  const sql = yield* SqlClient
  const key = keyOf(spec)
  const end = yield* endOf(sql, key)
  const start = performance.now()
  yield* takeStep(key)
  const took = performance.now() - start
  yield* restore(sql, key, end)
  return took
})

/**
 * Milliseconds of a step on each thread, medians. The threads take turns, each round beginning with another one, so
 * that a slow moment of the machine falls on all. The first rounds only warm up.
 */
export const times = Effect.fnUntraced(function* (
  specs: ReadonlyArray<Spec>,
  rounds: number,
  tell: (round: number) => void,
) {
  const warmUp = Math.ceil(rounds / 4)
  const taken = new Map<Spec, ReadonlyArray<number>>()
  for (let round = 0; round < rounds + warmUp; round++) {
    tell(round)
    for (const i of specs.keys()) {
      const spec = specs[(i + round) % specs.length]
      if (spec === undefined) continue
      const took = yield* timed(spec)
      if (round >= warmUp) taken.set(spec, [...(taken.get(spec) ?? []), took])
    }
  }
  return specs.map((spec) => median(taken.get(spec) ?? []))
})
