/**
 * Law 18, latest facts: of what was said of one thing, the latest holds, wherever and in whatever order it was said.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import fc from "fast-check"
import { type Fact, FactStore } from "../../engine/FactStore.ts"
import { arbitraryFactStory, type FactStory, type SaidFact } from "../arbitraries/FactStories.ts"
import { freshKey } from "../contract/Case.ts"
import { type Law, property } from "../Law.ts"
import { memoryFacts } from "../MemoryFacts.ts"

/** Names that a store which is careless with them would mix up. */
const OWNERS = ["ada", "", "ada "]
const ATTRIBUTES = ["email", "Email"]

type Store = FactStore["Service"]

/** How a program that needs a fact store is run. */
type Runner = <A>(program: Effect.Effect<A, unknown, FactStore>) => Promise<A>

const factOf = (said: SaidFact): Fact => ({
  id: `f${said.n}`,
  owner: OWNERS[said.owner] ?? "",
  chat: `chat ${said.chat}`,
  subject: "user",
  attribute: ATTRIBUTES[said.attribute] ?? "",
  value: `value ${said.n}`,
  quote: `it is value ${said.n}`,
  row: `row ${said.n}`,
  position: said.position,
  at: said.at,
})

const isLater = (a: SaidFact, b: SaidFact): boolean =>
  a.at !== b.at ? a.at > b.at : a.position !== b.position ? a.position > b.position : `f${a.n}` > `f${b.n}`

const sorted = (ids: ReadonlyArray<string>): string => JSON.stringify([...ids].sort())

const idsOf = (facts: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  facts.map(({ id }) => id)

/** Both workers at once; how many facts were new for either. */
const tell = (store: Store, tenants: ReadonlyArray<string>, { facts, workers }: FactStory) => {
  const put = (batch: ReadonlyArray<number>) => {
    const said = batch.flatMap((n) => facts[n] ?? [])
    const [first] = said
    const key = { tenant: tenants[first?.tenant ?? 0] ?? "", chat: `chat ${first?.chat}` }
    return store.put(key, said.map(factOf))
  }
  const counts = Effect.forEach(workers, (batches) => Effect.forEach(batches, put), { concurrency: 2 })
  return Effect.map(counts, (all) => all.flat().reduce((a, b) => a + b, 0))
}

/** What a store says of one attribute of one owner is what the facts say. */
const isRightOf = (store: Store, tenant: string, facts: ReadonlyArray<SaidFact>, about: Fact) =>
  Effect.gen(function* () {
    const asked = { tenant, owner: about.owner, subject: about.subject, attribute: about.attribute }
    const latest = facts.filter((said) => facts.every((one) => one === said || isLater(said, one)))
    const rows = facts.map(factOf).map(({ chat, row }) => ({ chat, row }))
    const older = facts.filter((said) => !latest.includes(said))
    const [current, history] = [yield* store.current(asked), yield* store.history(asked)]
    const superseded = yield* store.superseded(asked, rows)
    return (
      JSON.stringify(current) === JSON.stringify(latest.map(factOf)) &&
      sorted(idsOf(history)) === sorted(idsOf(facts.map(factOf))) &&
      sorted(idsOf(superseded)) === sorted(idsOf(older.map(factOf)))
    )
  })

const holdsFor = (story: FactStory) =>
  Effect.gen(function* () {
    const store = yield* FactStore
    const { tenant } = freshKey("facts")
    const tenants = [tenant, `${tenant} `]
    if ((yield* tell(store, tenants, story)) !== story.facts.length) return false
    for (const [t, name] of tenants.entries()) {
      for (const [owner] of OWNERS.entries()) {
        for (const [attribute] of ATTRIBUTES.entries()) {
          const mine = story.facts.filter(
            (said) => said.tenant === t && said.owner === owner && said.attribute === attribute,
          )
          const about = factOf({ n: 0, tenant: t, owner, attribute, chat: 0, at: 0, position: 0 })
          if (!(yield* isRightOf(store, name, mine, about))) return false
        }
      }
    }
    return true
  })

/**
 * Makes law 18 for a fact store: attributes are stated up to twenty times across chats, by two workers, in any order and
 * with retries; the latest is answered, a stale one never, and nothing of another owner or tenant.
 *
 * @category laws
 * @since 0.1.0
 */
export const latestFactsLawOn = (run: Runner): Law => ({
  number: 18,
  title: "Latest facts",
  properties: [
    property(
      "the latest of conflicting facts holds, the others are superseded, and owners and tenants share none",
      fc.asyncProperty(arbitraryFactStory, (story) => run(holdsFor(story))),
    ),
  ],
})

/**
 * Law 18, of the store in memory.
 *
 * @category laws
 * @since 0.1.0
 */
export const latestFactsLaw: Law = latestFactsLawOn((program) =>
  Effect.runPromise(Effect.provide(program, memoryFacts)),
)
