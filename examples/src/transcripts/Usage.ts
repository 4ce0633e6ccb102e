/** What providers say that a response cost, in one form. */
import { fieldOf, numberAt } from "./Fields.ts"
import type { Usage } from "./Transcript.ts"

const sum = (raw: unknown, names: ReadonlyArray<string>): number =>
  names.reduce((total, name) => total + (numberAt(raw, name) ?? 0), 0)

/**
 * Makes a reader of usage out of the names of the fields that add up. A response that cost nothing was never given:
 * programs write zeros for one that was cut off.
 */
const usageBy =
  (prompt: ReadonlyArray<string>, completion: ReadonlyArray<string>) =>
  (json: unknown, ...path: ReadonlyArray<string>): Usage | undefined => {
    const raw = fieldOf(json, ...path)
    const [first = ""] = prompt
    const usage = { prompt: sum(raw, prompt), completion: sum(raw, completion), raw }
    return numberAt(raw, first) === undefined || usage.prompt === 0 ? undefined : usage
  }

/** Anthropic counts what was cached apart. */
export const anthropicUsage = usageBy(
  ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
  ["output_tokens"],
)

/** Responses, and Codex: cached tokens are within the input. */
export const responsesUsage = usageBy(["input_tokens"], ["output_tokens"])

/** Chat Completions. */
export const chatUsage = usageBy(["prompt_tokens"], ["completion_tokens"])

/** Gemini: thoughts are beside the candidates, what tools put in beside the prompt. */
export const geminiUsage = usageBy(
  ["promptTokenCount", "toolUsePromptTokenCount"],
  ["candidatesTokenCount", "thoughtsTokenCount"],
)

/** Gemini CLI's own words for it. */
export const geminiCliUsage = usageBy(["input", "tool"], ["output", "thoughts"])

/** pi. */
export const piUsage = usageBy(["input", "cacheRead", "cacheWrite"], ["output"])

/** Kimi Code. */
export const kimiUsage = usageBy(["inputOther", "inputCacheRead", "inputCacheCreation"], ["output"])

/** langfuse: whatever of the input was cached is counted apart. */
export const langfuseUsage = usageBy(
  ["input", "input_cache_read", "input_cached_tokens"],
  ["output", "output_reasoning"],
)
