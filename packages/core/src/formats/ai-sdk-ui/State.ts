/**
 * The states of a call in a UI message, and what belongs to each: VA9. As the AI SDK's own check of stored messages has
 * it.
 *
 * @since 0.1.0
 */
import { CLOSING } from "../../thread/Group.ts"
import { NO_OUTPUT } from "../ai-sdk/Output.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { isTool, type UiPart } from "./Wire.ts"

type IsLawful = (approval: unknown) => boolean

interface State {
  readonly isApproval: IsLawful
  readonly hasOutput?: boolean
  readonly hasError?: boolean
  /** Whether the input may not be there: it is still being written, or was none that can be read. */
  readonly isEarly?: boolean
}

const isText = (value: unknown): boolean => value === undefined || typeof value === "string"

const isAbout = (approval: unknown): approval is Fields =>
  isFields(approval) && typeof approval.id === "string" && isText(approval.signature)

const isAbsent: IsLawful = (approval) => approval === undefined

const isQuestion: IsLawful = (approval) =>
  isAbout(approval) && approval.approved === undefined && approval.reason === undefined

const isAnswer: IsLawful = (approval) =>
  isAbout(approval) && typeof approval.approved === "boolean" && isText(approval.reason)

const isSaying =
  (approved: boolean): IsLawful =>
  (approval) =>
    isAnswer(approval) && isFields(approval) && approval.approved === approved

const isGranted: IsLawful = (approval) => isAbsent(approval) || isSaying(true)(approval)

const STATES: { readonly [state: string]: State } = {
  "input-streaming": { isApproval: isAbsent, isEarly: true },
  "input-available": { isApproval: isAbsent },
  "approval-requested": { isApproval: isQuestion },
  "approval-responded": { isApproval: isAnswer },
  "output-available": { isApproval: isGranted, hasOutput: true },
  "output-error": { isApproval: isGranted, hasError: true, isEarly: true },
  "output-denied": { isApproval: isSaying(false) },
}

const stateOf = ({ state }: UiPart): State | undefined =>
  typeof state === "string" && Object.hasOwn(STATES, state) ? STATES[state] : undefined

const isData = ({ type }: UiPart): boolean => type.startsWith("data-")

/** What a part of a tool, or of data, lacks or has too much of; null for a sound one. */
export const stateFault = (part: UiPart): string | null => {
  if (isData(part) && !("data" in part)) return "no data"
  if (!isTool(part)) return null
  const state = stateOf(part)
  if (state === undefined) return "a state that is not known"
  if (!state.isApproval(part.approval)) return "an approval that is not of the state"
  if (!("input" in part) && state.isEarly !== true) return "no input"
  if (state.hasOutput === true ? !("output" in part) : part.output !== undefined)
    return "an output that is not of the state"
  if (state.hasError === true ? typeof part.errorText !== "string" : part.errorText !== undefined)
    return "an error that is not of the state"
  const hasResult = state.hasOutput === true || state.hasError === true
  return part.resultProviderMetadata !== undefined && !hasResult
    ? "metadata of a result where there is none"
    : null
}

/** A part without what belongs to no result. */
const bare = ({
  approval: _,
  output: __,
  errorText: ___,
  resultProviderMetadata: ____,
  ...part
}: UiPart): Fields => part

/** A call that was never answered, closed. */
export const closed = (part: UiPart): UiPart => ({
  ...bare(part),
  type: part.type,
  state: "output-error",
  errorText: CLOSING,
})

/** A part with what its state demands and nothing else; null where the state is not known. */
export const withLawfulState = (part: UiPart): UiPart | null => {
  if (stateFault(part) === null) return part
  if (isData(part)) return { ...part, data: null }
  const state = stateOf(part)
  if (state === undefined) return null
  const { approval, output, errorText, resultProviderMetadata } = part
  const isSound = state.isApproval(approval)
  if (!isSound && !state.isApproval(undefined)) return closed(part)
  const metadata = resultProviderMetadata === undefined ? {} : { resultProviderMetadata }
  return {
    ...(state.isEarly === true ? {} : { input: {} }),
    ...bare(part),
    type: part.type,
    ...(isSound && approval !== undefined ? { approval } : {}),
    ...(state.hasOutput === true ? { output: output ?? null, ...metadata } : {}),
    ...(state.hasError === true
      ? { errorText: typeof errorText === "string" ? errorText : NO_OUTPUT, ...metadata }
      : {}),
  }
}
