/**
 * A worker of the quickstart: a process that takes up the chat where the store says it stands, and plays it on.
 */
import { layerFolder } from "@palimpsest/adapter-pg/pglite"
import type { Row, ThreadKey } from "@palimpsest/core"
import { type StepPrompt, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { type PlayedCall, play, wholeThread } from "../replay/Play.ts"
import { SYSTEM, story } from "./Story.ts"

/** The chat of the quickstart. */
export const KEY: ThreadKey = { tenant: "quickstart", chat: "a morning" }

/** Tokens of the model's window. */
export const WINDOW = 8_000

/** What a worker tells while it lives. */
export type News =
  | { readonly _tag: "Opened"; readonly stored: number }
  | {
      readonly _tag: "Called"
      readonly number: number
      readonly limit: number
      readonly rowsRead: number
      readonly prompt: StepPrompt
    }
  | { readonly _tag: "Ended"; readonly rows: ReadonlyArray<Row>; readonly violations: ReadonlyArray<string> }

const called = ({ number, limit, rowsRead, prompt }: PlayedCall): News | null =>
  prompt === null ? null : { _tag: "Called", number, limit, rowsRead, prompt }

/** Plays the chat from where it stands. `tell` hears of each model call once its response is stored. */
export const work = (folder: string, tell: (news: News) => void): Promise<void> => {
  const program = Effect.gen(function* () {
    const rows = yield* wholeThread(KEY)
    const stored = rows.filter((row) => row.kind === "message").length
    tell({ _tag: "Opened", stored })
    const rest = {
      format: "openai-chat" as const,
      name: KEY.chat,
      system: SYSTEM,
      messages: story.slice(stored),
      origins: [],
      skipped: 0,
      notes: [],
    }
    const options = { budget: { window: WINDOW }, system: SYSTEM }
    const played = yield* play(KEY, rest, options, (call) =>
      Effect.sync(() => {
        const news = called(call)
        if (news !== null) tell(news)
      }),
    )
    const violations = played.violations.map(({ law, detail }) => `law ${law}: ${detail}`)
    tell({ _tag: "Ended", rows: played.rows, violations })
  })
  return Effect.runPromise(Effect.provide(program, Layer.mergeAll(layerFolder(folder), Tokens.layer)))
}
