/**
 * Checks the summaries of a whole thread against the rows that they cover: nobody may have changed one underneath.
 *
 * @since 0.1.0
 */
import { digestRows } from "./Id.ts"
import type { MessageRow, Row, SummaryRow } from "./Row.ts"

/**
 * A summary that is not what its rows say.
 *
 * - `Digest`: the rows that it covers are not those that it was made of.
 * - `Chain`: it was made on another cut than the one that stands before it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuditFault {
  readonly _tag: "Digest" | "Chain"
  /** Id of the summary. */
  readonly mark: string
  /** Digest, or id of the cut, that the summary names; empty for none. */
  readonly expected: string
  readonly found: string
}

/**
 * What an audit knows between two pages of a thread.
 *
 * @category models
 * @since 0.1.0
 */
export interface Audit {
  /** Id of the newest cut so far; null for none. */
  readonly cut: string | null
  /** Messages since that cut. */
  readonly open: ReadonlyArray<MessageRow>
  /** Summaries that were checked. */
  readonly summaries: number
  readonly faults: ReadonlyArray<AuditFault>
}

/**
 * An audit that has seen nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptyAudit: Audit = { cut: null, open: [], summaries: 0, faults: [] }

const faultsOf = ({ cut, open }: Audit, row: SummaryRow): ReadonlyArray<AuditFault> => {
  const digest = digestRows(open)
  const faults: Array<AuditFault> = []
  if (digest !== row.pass.digest)
    faults.push({ _tag: "Digest", mark: row.id, expected: row.pass.digest, found: digest })
  if (row.previous !== undefined && row.previous !== cut)
    faults.push({ _tag: "Chain", mark: row.id, expected: row.previous ?? "", found: cut ?? "" })
  return faults
}

const see = (audit: Audit, row: Row): Audit => {
  if (row.kind === "message") return { ...audit, open: [...audit.open, row] }
  if (row.kind === "reset") return { ...audit, cut: row.id, open: [] }
  if (row.kind !== "summary") return audit
  return {
    cut: row.id,
    open: [],
    summaries: audit.summaries + 1,
    faults: [...audit.faults, ...faultsOf(audit, row)],
  }
}

/**
 * Goes on with an audit over the next rows of a thread, in order.
 *
 * **Example** (A thread without summaries has no faults)
 *
 * ```ts
 * import { auditRows, emptyAudit, user } from "@palimpsest/core"
 *
 * const row = { kind: "message", id: "m1", position: 1, message: user("Hello"), tokens: 5, tokenizer: "t" } as const
 * auditRows(emptyAudit, [row]).faults // => []
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const auditRows = (audit: Audit, rows: ReadonlyArray<Row>): Audit => rows.reduce(see, audit)
