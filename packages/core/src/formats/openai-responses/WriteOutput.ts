/**
 * From results of a thread to outputs of the Responses API, of the type that their call asks for.
 *
 * @since 0.1.0
 */
import type { ToolResultPart } from "../../thread/Message.ts"
import { mediaPlaceholder, opaquePlaceholder, urlOf } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import { noteRefusal } from "../format/Refusal.ts"
import { asContent, NAME, type Note, writeParts } from "./Content.ts"
import { typeOfKind } from "./Kinds.ts"
import { isBlank, type ResponsesItem } from "./Wire.ts"

/** What stands where a tool said nothing. */
export const NO_OUTPUT = "(no output)"

/** A white square of 32 pixels: an output of a computer is a picture, whatever became of the one that there was. */
const NO_PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mP4TwAwjCoYVTCqYKQqAAA/aPwuqUTQyAAAAABJRU5ErkJggg=="

type Item = ToolResultPart["content"][number]

const itemText = (item: Item, note: Note): string => {
  if (item.type === "text") return item.text
  note(
    "changed",
    item.type === "media" ? item.mediaType : `a part of ${item.format}`,
    "the output is text only",
  )
  return item.type === "media" ? mediaPlaceholder(item, "cannot be sent here") : opaquePlaceholder(item)
}

const textOf = (content: ToolResultPart["content"], note: Note): string => {
  const text = content.map((item) => itemText(item, note)).join("\n")
  return isBlank(text) ? "" : text
}

/** The picture of a screen: the one that there is, or a white one. */
const screenshotOf = ({ content }: ToolResultPart, note: Note): object => {
  const picture = content.find((item) => item.type === "media" && item.mediaType.startsWith("image/"))
  for (const item of content)
    if (item.type === "text") note("dropped", "a text", "the output is a picture only")
  if (picture?.type === "media") return { type: "computer_screenshot", image_url: urlOf(picture) }
  const own = content.flatMap((item) => (item.type === "opaque" ? [opaqueValue(item, NAME)] : []))
  const screen = own.find((value) => value?.type === "computer_screenshot")
  if (screen !== undefined) return screen
  note("changed", "the picture of a screen", "it is not there any more")
  return { type: "computer_screenshot", image_url: NO_PICTURE }
}

const OUTCOME = "the format has no place for it"

/** Writes a result as the output of a call of a kind. */
export const writeOutput = (result: ToolResultPart, kind: string | undefined, note: Note): ResponsesItem => {
  const { call, status, content } = result
  const isWell = status === "ok"
  switch (kind) {
    case "computer":
      if (!isWell) note("dropped", `how the call ${call} ended`, OUTCOME)
      return { type: "computer_call_output", call_id: call, output: screenshotOf(result, note) }
    case "shell": {
      noteRefusal(result, note)
      const outcome = { type: "exit", exit_code: isWell ? 0 : 1 }
      const stdout = textOf(content, note)
      return { type: "shell_call_output", call_id: call, output: [{ stdout, stderr: "", outcome }] }
    }
    case "local_shell":
      if (!isWell) note("dropped", `how the call ${call} ended`, OUTCOME)
      return { type: "local_shell_call_output", id: call, output: textOf(content, note) || NO_OUTPUT }
    case "apply_patch":
      noteRefusal(result, note)
      return {
        type: "apply_patch_call_output",
        call_id: call,
        status: isWell ? "completed" : "failed",
        output: textOf(content, note),
      }
    case "mcp_approval": {
      const reason = textOf(content, note)
      const said = reason === "" ? {} : { reason }
      if (status === "error") note("changed", `how the call ${call} ended`, "an approval is given or refused")
      return { type: "mcp_approval_response", approval_request_id: call, approve: isWell, ...said }
    }
    default: {
      if (!isWell) note("dropped", `how the call ${call} ended`, OUTCOME)
      const isCustom = kind === "custom" || kind === "custom_reference"
      const type = typeOfKind(isCustom ? "custom" : undefined)?.output ?? ""
      return { type, call_id: call, output: asContent(writeParts(content, note), NO_OUTPUT) }
    }
  }
}
