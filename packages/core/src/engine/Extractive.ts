/**
 * The summariser that needs no model: deterministic, in the process, and free.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { extractDelta } from "../summary/Extract.ts"
import { redact } from "../summary/Redact.ts"
import type { Redact } from "../summary/SafeRedact.ts"
import type { Summariser } from "./Summariser.ts"

/** It reads rows, not a transcript, and has no window of its own. */
const WINDOW = 1_000_000

/**
 * Makes the extractive summariser: what the engine uses when no other one is provided.
 *
 * @category constructors
 * @since 0.1.0
 */
export const extractiveSummariser = (
  counter: TokenCounter,
  clean: Redact = redact,
): (typeof Summariser)["Service"] => ({
  name: "extractive",
  window: WINDOW,
  summarise: (request) =>
    Effect.sync(() =>
      extractDelta(request.messages, {
        previous: request.previous,
        maxTokens: request.maxTokens,
        counter,
        redact: clean,
        ...(request.focus === undefined ? {} : { focus: request.focus }),
      }),
    ),
})
