/**
 * From outputs of the Responses API to results of a thread.
 *
 * @since 0.1.0
 */
import type { ToolResultPart } from "../../thread/Message.ts"
import { isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { NAME, readPart } from "./Content.ts"
import { outputIdOf, outputTypeOf } from "./Kinds.ts"
import { partsOf, type ResponsesItem, stringOf } from "./Wire.ts"

type Content = ToolResultPart["content"]

type Said = Pick<ToolResultPart, "status" | "content">

const textOf = (text: string): Content => (text === "" ? [] : [{ type: "text", text }])

const saidIn = (output: unknown): Said => ({
  status: "ok",
  content: partsOf(output, "input_text").map(readPart),
})

const readScreenshot = (output: unknown): Content => {
  const url = isFields(output) ? output.image_url : undefined
  if (typeof url === "string") return [readPart({ type: "input_image", image_url: url })]
  return output === undefined || output === null ? [] : [opaque(NAME, output)]
}

/** What a command printed, and whether it ended well. */
const readCommand = (output: unknown): { readonly text: string; readonly isWell: boolean } => {
  const { stdout, stderr, outcome } = isFields(output) ? output : {}
  const ended = isFields(outcome) ? outcome : {}
  const isWell = ended.type === "exit" ? ended.exit_code === 0 : ended.type === undefined
  return {
    text: [stdout, stderr]
      .map(stringOf)
      .filter((text) => text !== "")
      .join("\n"),
    isWell,
  }
}

const readShell = (output: unknown): Said => {
  const commands = (Array.isArray(output) ? output : []).map(readCommand)
  return {
    status: commands.every(({ isWell }) => isWell) ? "ok" : "error",
    content: commands.flatMap(({ text }) => textOf(text)),
  }
}

const readSaid = (item: ResponsesItem): Said => {
  const { output } = item
  switch (outputTypeOf(item)?.kind) {
    case "computer":
      return { status: "ok", content: readScreenshot(output) }
    case "shell":
      return readShell(output)
    case "apply_patch":
      return { status: item.status === "failed" ? "error" : "ok", content: textOf(stringOf(output)) }
    case "mcp_approval":
      return { status: item.approve === true ? "ok" : "denied", content: textOf(stringOf(item.reason)) }
    default:
      return saidIn(output)
  }
}

/** Reads an output. */
export const readOutput = (item: ResponsesItem): ToolResultPart => ({
  type: "tool-result",
  call: outputIdOf(item) ?? "",
  ...readSaid(item),
})
