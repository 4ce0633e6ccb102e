/** Files that are known and hold no chat that could be replayed, and why. */
import { has, isFields, textAt } from "./Fields.ts"
import type { Source } from "./Source.ts"
import { TranscriptError } from "./Transcript.ts"

interface NotRead {
  readonly fits: (source: Source) => boolean
  readonly reason: string
  readonly remedy: string
}

const some = (pattern: RegExp) => (source: Source) =>
  source.entries.slice(0, 20).some(({ value }) => pattern.test(textAt(value, "type")))

const isQuestions = ({ value, entries }: Source): boolean => {
  const values =
    isFields(value) && entries.length === 1
      ? Object.values(value)
      : entries.flatMap((entry) => (isFields(entry.value) ? Object.values(entry.value) : [null]))
  const isQuestion = (item: unknown) => typeof item === "string" || has(item, "question")
  return (
    values.length > 0 &&
    values.every((list) => Array.isArray(list) && list.length > 0 && list.every(isQuestion))
  )
}

const KNOWN: ReadonlyArray<NotRead> = [
  {
    fits: some(/^(thread|turn|item)\.(started|completed|updated)$/),
    reason: "it is the output of `codex exec --json`, which leaves out what was asked and what the model saw",
    remedy: "Name the rollout of the same session: ~/.codex/sessions/**/rollout-*.jsonl.",
  },
  {
    fits: some(/^(message_start|content_block_start|response\.created|response\.output_item\.added)$/),
    reason: "it is the stream of single responses, without the messages that they answer",
    remedy: "Name the messages of the request, with the responses among them.",
  },
  {
    fits: some(/^(start-step|reasoning-start|text-start|text-delta)$/),
    reason: "it is the stream of a user interface, without the messages that it answers",
    remedy: "Name the stored messages.",
  },
  {
    fits: ({ value }) => has(value, "trace", "observations"),
    reason: "it is a trace of langfuse: each of its observations repeats a piece of the chat",
    remedy: "Name the messages of its last generation.",
  },
  {
    fits: isQuestions,
    reason: "it holds questions about a chat, and no chat",
    remedy: "Name the file of the chat itself.",
  },
]

/** Why a file of a known form is not read; undefined for a form that is not known. */
export const notRead = (source: Source): TranscriptError | undefined => {
  const found = KNOWN.find(({ fits }) => fits(source))
  return found === undefined
    ? undefined
    : new TranscriptError({ name: source.name, kind: "no-chat", reason: found.reason, remedy: found.remedy })
}
