/**
 * What every fact store refuses, in the same words.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import { StoreError } from "./Errors.ts"
import type { Fact } from "./FactStore.ts"
import { idFault } from "./StoredRow.ts"

/** UTF-16 units of all texts of one fact: it is one statement, and no document. */
const LONGEST_FACT = 256 * 1024

/** Most facts that a query answers, unless it says otherwise. */
const MOST = 500

/** As many as a database can be asked for. */
const ALL = 2 ** 31 - 1

const textsOf = ({ subject, attribute, value, quote }: Fact) => ({ subject, attribute, value, quote })

const namesOf = ({ id, owner, chat, row }: Fact) => ({ id, owner, chat, row })

/**
 * Tells what is wrong with a fact; null when it can be kept.
 *
 * @category guards
 * @since 0.1.0
 */
export const factFault = (fact: Fact): string | null => {
  for (const [name, text] of Object.entries(namesOf(fact))) {
    const fault = idFault(text)
    if (fault !== null) return `${name}: ${fault}`
  }
  if (fact.id === "") return "its id is empty"
  const texts = Object.entries(textsOf(fact))
  const [wrong] = texts.find(([, text]) => typeof text !== "string") ?? []
  if (wrong !== undefined) return `its ${wrong} is not a string`
  if (!Number.isFinite(fact.at)) return "its time is not a finite number"
  if (!Number.isFinite(fact.position)) return "its position is not a finite number"
  const units = texts.reduce((sum, [, text]) => sum + text.length, 0)
  return units > LONGEST_FACT ? `it is longer than ${LONGEST_FACT} characters` : null
}

/**
 * Checks facts before a store keeps any of them, and returns each id once: the first one counts.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkFacts = (
  operation: string,
  facts: ReadonlyArray<Fact>,
): Result.Result<ReadonlyArray<Fact>, StoreError> => {
  const once = new Map<string, Fact>()
  for (const fact of facts) {
    const fault = factFault(fact)
    if (fault !== null) {
      const reason = `fact ${JSON.stringify(String(fact.id).slice(0, 80))}: ${fault}`
      return Result.fail(new StoreError({ operation, reason, isRetryable: false }))
    }
    if (!once.has(fact.id)) once.set(fact.id, fact)
  }
  return Result.succeed([...once.values()])
}

/**
 * How many facts a query answers: a limit that is no number is none.
 *
 * @category combinators
 * @since 0.1.0
 */
export const factLimit = (limit: number = MOST): number =>
  Number.isNaN(limit) ? MOST : Math.max(0, Math.min(ALL, Math.floor(limit)))

/**
 * Says that the memory which a tenant shares is not removed as an owner's.
 *
 * @category errors
 * @since 0.1.0
 */
export const sharedOwner = (operation: string): StoreError =>
  new StoreError({
    operation,
    reason: "the owner is empty, which is the memory that all chats without an owner share",
    isRetryable: false,
    remedy: "Remove those chats one by one, or the whole tenant",
  })

/**
 * Says that all that was kept of an owner was removed.
 *
 * @category errors
 * @since 0.1.0
 */
export const removedOwner = (operation: string): StoreError =>
  new StoreError({
    operation,
    reason: "all that was kept of this owner was removed, and nothing is kept any more: use another owner",
    isRetryable: false,
  })
