/**
 * A fact store that lives in memory, for tests and examples.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Layer } from "effect"
import { type Fact, type FactQuery, FactStore, type ForgetRequest } from "../engine/FactStore.ts"

/** What was forgotten: values of an owner's attributes, and when. */
interface Forgotten {
  readonly what: string
  readonly at: number
}

interface Shelf {
  facts: ReadonlyArray<Fact>
  readonly ids: Set<string>
  readonly forgotten: Array<Forgotten>
}

/** Most facts that a query answers, unless it says otherwise. */
const MOST = 500

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const latestFirst = (a: Fact, b: Fact): number =>
  b.at - a.at || b.position - a.position || compare(b.id, a.id)

const aboutOf = ({ owner, subject, attribute }: Fact): string => JSON.stringify([owner, subject, attribute])

const whatOf = ({ owner, subject, attribute, value }: Fact): string =>
  JSON.stringify([owner, subject, attribute, value])

const matches =
  ({ owner, subject, attribute }: Pick<FactQuery, "owner" | "subject" | "attribute">) =>
  (fact: Fact): boolean =>
    fact.owner === owner &&
    (subject === undefined || fact.subject === subject) &&
    (attribute === undefined || fact.attribute === attribute)

const currentOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const sorted = [...facts].sort(latestFirst)
  return [...new Map(sorted.toReversed().map((fact) => [aboutOf(fact), fact])).values()].sort(latestFirst)
}

const isAsked = ({ ids, subject, attribute }: ForgetRequest): boolean =>
  ids !== undefined || subject !== undefined || attribute !== undefined

const addTo = (shelf: Shelf, facts: ReadonlyArray<Fact>): number => {
  const isForgotten = (fact: Fact) =>
    shelf.forgotten.some(({ what, at }) => what === whatOf(fact) && fact.at <= at)
  const before = shelf.facts.length
  for (const fact of facts) {
    if (shelf.ids.has(fact.id) || isForgotten(fact)) continue
    shelf.ids.add(fact.id)
    shelf.facts = [...shelf.facts, fact]
  }
  return shelf.facts.length - before
}

/** Everything about what the named facts are about goes, so that no earlier value comes back. */
const forgetIn = (shelf: Shelf, request: ForgetRequest, now: number): number => {
  if (!isAsked(request)) return 0
  const named = shelf.facts.filter(
    (fact) => matches(request)(fact) && (request.ids === undefined || request.ids.includes(fact.id)),
  )
  const about = new Set(named.map(aboutOf))
  const gone = shelf.facts.filter((fact) => about.has(aboutOf(fact)))
  for (const fact of gone) shelf.forgotten.push({ what: whatOf(fact), at: now })
  shelf.facts = shelf.facts.filter((fact) => !about.has(aboutOf(fact)))
  return gone.length
}

const make = () => {
  const shelves = new Map<string, Shelf>()
  const shelfOf = (tenant: string): Shelf => {
    const shelf = shelves.get(tenant) ?? { facts: [], ids: new Set<string>(), forgotten: [] }
    shelves.set(tenant, shelf)
    return shelf
  }
  return FactStore.of({
    put: ({ tenant }, facts) => Effect.sync(() => addTo(shelfOf(tenant), facts)),
    list: ({ tenant, chat }) =>
      Effect.sync(() =>
        shelfOf(tenant)
          .facts.filter((fact) => fact.chat === chat)
          .sort((a, b) => a.position - b.position || compare(a.id, b.id)),
      ),
    current: (query) =>
      Effect.sync(() =>
        currentOf(shelfOf(query.tenant).facts.filter(matches(query))).slice(0, query.limit ?? MOST),
      ),
    history: (query) =>
      Effect.sync(() =>
        shelfOf(query.tenant)
          .facts.filter(matches(query))
          .sort(latestFirst)
          .slice(0, query.limit ?? MOST),
      ),
    superseded: ({ tenant, owner }, rows) =>
      Effect.sync(() => {
        const { facts } = shelfOf(tenant)
        const said = new Set(rows.map(({ chat, row }) => JSON.stringify([chat, row])))
        const latest = new Set(currentOf(facts).map(({ id }) => id))
        return facts.filter(
          (fact) =>
            fact.owner === owner && said.has(JSON.stringify([fact.chat, fact.row])) && !latest.has(fact.id),
        )
      }),
    remember: (tenant, fact) => Effect.sync(() => void addTo(shelfOf(tenant), [fact])),
    forget: (request) =>
      Effect.map(Clock.currentTimeMillis, (now) => forgetIn(shelfOf(request.tenant), request, now)),
  })
}

/**
 * Keeps facts in this process. Nothing is shared between two builds of the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryFacts: Layer.Layer<FactStore> = Layer.sync(FactStore, make)
