/** To which kind of step an event belongs, by the spans around it, and in which operation of the store it happens. */
import { Effect, Option, type Tracer } from "effect"

const namesAround = (span: Tracer.AnySpan | undefined): ReadonlyArray<Tracer.Span> => {
  const found: Array<Tracer.Span> = []
  let at: Tracer.AnySpan | undefined = span
  while (at?._tag === "Span") {
    found.push(at)
    at = Option.getOrUndefined(at.parent)
  }
  return found
}

/** The innermost of these spans decides. */
const KINDS: Readonly<Record<string, string>> = {
  "PgThreadStore.migrate": "migration",
  "PgLeases.claim": "lease",
  "PgLeases.release": "lease",
  "PgThreadEditor.fork": "fork",
  "PgThreadEditor.remove": "remove",
  "Palimpsest.open": "open",
  "Palimpsest.checkpoint": "append",
  "Palimpsest.recall": "recall",
  "Palimpsest.prune": "prune",
  "Palimpsest.flush": "flush",
  "Palimpsest.compact": "summary",
  "Palimpsest.reset": "reset",
  "Palimpsest.rewind": "rewind",
  "Palimpsest.edit": "edit",
}

/** Where an event happens. */
export interface Around {
  readonly kind: string
  /** Of the operation of the store that it is a statement of; null outside of one. */
  readonly operation: string | null
}

/** Looks at the spans around the running effect. */
export const around: Effect.Effect<Around> = Effect.map(Effect.option(Effect.currentSpan), (span) => {
  const spans = namesAround(Option.getOrUndefined(span))
  const name = spans.find((one) => one.name in KINDS)?.name ?? ""
  const operation = spans.find((one) => /^Pg\w+\./.test(one.name))
  return { kind: KINDS[name] ?? "other", operation: operation?.spanId ?? null }
})
