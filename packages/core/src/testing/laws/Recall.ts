/**
 * The laws of the recall tool.
 *
 * @since 0.1.0
 */
import type { Law } from "../Law.ts"
import { recallHints } from "./RecallHints.ts"
import { recallOwners } from "./RecallOwners.ts"
import { recallPages } from "./RecallPages.ts"

/**
 * Laws 12, 16 and 17 of the recall tool: what a hint names is given in full, in well-formed pages that fit, and to those
 * alone whose memory it is.
 *
 * @category laws
 * @since 0.1.0
 */
export const recallLaw: Law = {
  number: 12,
  title: "recall",
  properties: [...recallPages, ...recallHints, ...recallOwners],
}
