/**
 * The facts of one tenant as they lie in memory.
 *
 * @since 0.1.0
 */
import type { Fact, FactQuery, ForgetRequest, OwnerKey } from "../../engine/FactStore.ts"

/** A fact, and whether the host stated it outside of any chat: a chat may have an empty name. */
interface Kept {
  readonly fact: Fact
  readonly isStated: boolean
}

/** What was forgotten of an owner: values of attributes, with when, and ids, which never come back. */
interface Forgotten {
  readonly owner: string
  readonly what: string
  readonly at: number
}

/**
 * The facts of one tenant.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shelf {
  kept: ReadonlyArray<Kept>
  forgotten: ReadonlyArray<Forgotten>
}

/** A shelf without facts. */
export const emptyShelf = (): Shelf => ({ kept: [], forgotten: [] })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const latestFirst = (a: Fact, b: Fact): number =>
  b.at - a.at || b.position - a.position || compare(b.id, a.id)

const aboutOf = ({ owner, subject, attribute }: Fact): string => JSON.stringify([owner, subject, attribute])

const whatOf = ({ subject, attribute, value }: Fact): string =>
  JSON.stringify(["value", subject, attribute, value])

const idOf = ({ id }: Fact): string => JSON.stringify(["id", id])

const matches =
  ({ owner, subject, attribute }: Pick<FactQuery, "owner" | "subject" | "attribute">) =>
  (fact: Fact): boolean =>
    fact.owner === owner &&
    (subject === undefined || fact.subject === subject) &&
    (attribute === undefined || fact.attribute === attribute)

const factsOf = ({ kept }: Shelf): ReadonlyArray<Fact> => kept.map(({ fact }) => fact)

const holding = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const sorted = [...facts].sort(latestFirst)
  return [...new Map(sorted.toReversed().map((fact) => [aboutOf(fact), fact])).values()].sort(latestFirst)
}

const isThere = (shelf: Shelf, { fact: { chat, id }, isStated }: Kept): boolean =>
  shelf.kept.some((one) => one.isStated === isStated && one.fact.chat === chat && one.fact.id === id)

const isForgotten = ({ forgotten }: Shelf, fact: Fact): boolean => {
  const names = [whatOf(fact), idOf(fact)]
  return forgotten.some(
    ({ owner, what, at }) => owner === fact.owner && names.includes(what) && fact.at <= at,
  )
}

/** Puts facts, and returns how many were new. */
export const addTo = (shelf: Shelf, facts: ReadonlyArray<Fact>, isStated: boolean): number => {
  const before = shelf.kept.length
  for (const fact of facts) {
    const one = { fact, isStated }
    if (!isThere(shelf, one) && !isForgotten(shelf, fact)) shelf.kept = [...shelf.kept, one]
  }
  return shelf.kept.length - before
}

/** Whether a fact that the host stated is there. */
export const isStatedIn = (shelf: Shelf, fact: Fact): boolean => isThere(shelf, { fact, isStated: true })

/** The facts said in a chat. */
export const listIn = (shelf: Shelf, chat: string): ReadonlyArray<Fact> =>
  shelf.kept
    .flatMap(({ fact, isStated }) => (fact.chat === chat && !isStated ? [fact] : []))
    .sort((a, b) => a.position - b.position || compare(a.id, b.id))

/** The facts that hold. */
export const currentIn = (shelf: Shelf, query: FactQuery): ReadonlyArray<Fact> =>
  holding(factsOf(shelf).filter(matches(query)))

/** All facts. */
export const historyIn = (shelf: Shelf, query: FactQuery): ReadonlyArray<Fact> =>
  factsOf(shelf).filter(matches(query)).sort(latestFirst)

/** The facts of some rows that no longer hold. */
export const supersededIn = (
  shelf: Shelf,
  { owner }: OwnerKey,
  rows: ReadonlyArray<{ readonly chat: string; readonly row: string }>,
): ReadonlyArray<Fact> => {
  const said = new Set(rows.map(({ chat, row }) => JSON.stringify([chat, row])))
  const latest = new Set(holding(factsOf(shelf).filter((fact) => fact.owner === owner)))
  return shelf.kept
    .flatMap(({ fact, isStated }) => (fact.owner === owner && !isStated ? [fact] : []))
    .filter((fact) => said.has(JSON.stringify([fact.chat, fact.row])) && !latest.has(fact))
    .sort(latestFirst)
}

const isAsked = ({ ids, subject, attribute }: ForgetRequest): boolean =>
  ids !== undefined || subject !== undefined || attribute !== undefined

/** Everything about what the named facts are about goes, so that no earlier value comes back. */
export const forgetIn = (shelf: Shelf, request: ForgetRequest, now: number): number => {
  if (!isAsked(request)) return 0
  const named = factsOf(shelf).filter(
    (fact) => matches(request)(fact) && (request.ids === undefined || request.ids.includes(fact.id)),
  )
  const about = new Set(named.map(aboutOf))
  const gone = factsOf(shelf).filter((fact) => about.has(aboutOf(fact)))
  const marks = gone.flatMap((fact) => [
    { owner: fact.owner, what: whatOf(fact), at: now },
    { owner: fact.owner, what: idOf(fact), at: Number.POSITIVE_INFINITY },
  ])
  shelf.forgotten = [...shelf.forgotten, ...marks]
  shelf.kept = shelf.kept.filter(({ fact }) => !about.has(aboutOf(fact)))
  return gone.length
}

/** Deletes the facts said in a chat. */
export const clearChat = (shelf: Shelf, chat: string): void => {
  shelf.kept = shelf.kept.filter(({ fact, isStated }) => isStated || fact.chat !== chat)
}

/** Deletes all that is kept of an owner. */
export const clearOwner = (shelf: Shelf, owner: string): void => {
  shelf.kept = shelf.kept.filter(({ fact }) => fact.owner !== owner)
  shelf.forgotten = shelf.forgotten.filter((one) => one.owner !== owner)
}
