/**
 * Items without secrets: those of an older summary, and those that a summariser proposes.
 *
 * @since 0.1.0
 */
import type { Delta, Item, NewItem, Summary } from "./Item.ts"
import { oneLine, redactedLine } from "./ItemText.ts"
import type { Redact } from "./SafeRedact.ts"

/** Lines stay what they are where they can: what imitates a turn is to be seen by the checks. */
const redactText = (text: string, redact: Redact): string => {
  const passed = redact(text)
  return redactedLine(passed, redact) === oneLine(passed) ? passed : redactedLine(passed, redact)
}

const redactItem = <I extends NewItem>(item: I, redact: Redact): I => {
  const text = redactText(item.text, redact)
  return text === item.text ? item : { ...item, text }
}

/**
 * Takes secrets out of a summary that was made with another redactor. Items without any are the same bytes; one that was
 * nothing else leaves.
 *
 * @category security
 * @since 0.1.0
 */
export const redactSummary = ({ items }: Summary, redact: Redact): Summary => ({
  items: items.map((item) => redactItem<Item>(item, redact)).filter((item) => item.text.trim() !== ""),
})

/**
 * Takes secrets out of what a summariser proposes.
 *
 * @category security
 * @since 0.1.0
 */
export const redactDelta = (delta: Delta, redact: Redact): Delta => ({
  ...delta,
  add: delta.add.map((item) => redactItem(item, redact)),
})
