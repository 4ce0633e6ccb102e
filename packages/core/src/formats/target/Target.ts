/**
 * The model that a prompt is for: what it takes, and what its signatures are bound to.
 *
 * @since 0.1.0
 */
import { type Accounting, defaultAccounting, type ImageRule } from "../../count/Accounting.ts"
import type { FormatName } from "../format/Conversation.ts"

/**
 * What a provider does with the reasoning of earlier responses.
 *
 * - `none`: its format has no place for it.
 * - `family`: what a model of the same family signed may be sent, wherever it stands.
 * - `prefix`: the same, as long as nothing before it has changed since it was written.
 * - `turn`: what the family signed in the turn that goes on; earlier turns need none.
 *
 * @category models
 * @since 0.1.0
 */
export type ReasoningRule = "none" | "family" | "prefix" | "turn"

/**
 * A model, as far as a prompt depends on it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Target {
  readonly format: FormatName
  readonly model: string
  /** Tokens of the model's whole window. */
  readonly window: number
  readonly reasoning: ReasoningRule
  /** Models of one family take each other's signatures. */
  readonly family: string
  readonly accounting: Accounting
  /** Whether the model takes images; they become placeholders when it does not. */
  readonly images: boolean
  /** Where the provider caches prompts: at marks that the request sets, or by itself. */
  readonly cache: "marks" | "automatic"
}

/**
 * What a host says of its model; the rest follows from the model's name and format.
 *
 * @category models
 * @since 0.1.0
 */
export interface TargetInput extends Partial<Omit<Target, "format" | "model" | "window">> {
  readonly format: FormatName
  readonly model: string
  readonly window: number
}

type Maker = "anthropic" | "openai" | "google" | "other"

const MAKERS: ReadonlyArray<readonly [RegExp, Maker]> = [
  [/claude|opus|sonnet|haiku|fable/i, "anthropic"],
  [/gemini|gemma/i, "google"],
  [/gpt|^o\d|codex/i, "openai"],
]

/** Who made a model, by its name; a route before it (`openrouter/anthropic/…`) does not matter. */
const makerOf = (model: string): Maker => MAKERS.find(([name]) => name.test(model))?.[1] ?? "other"

/**
 * Anthropic binds the signatures of its newer models to all that stands before them: from Fable 5.1 on, and for every
 * account made since 31 August 2026 (documentation of the Messages API, "preserved thinking").
 */
const isPrefixBound = (model: string): boolean => {
  const [, major = "0", minor = "0"] = /fable[^\d]*(\d+)(?:[.-](\d{1,2})(?!\d))?/i.exec(model) ?? []
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 1)
}

const reasoningOf = (format: FormatName, model: string, maker: Maker): ReasoningRule => {
  if (format === "openai-chat") return "none"
  if (maker === "anthropic") return isPrefixBound(model) ? "prefix" : "family"
  return maker === "google" ? "turn" : "family"
}

/** A token for each 28 × 28 pixels, at most 1,568 for an image (Anthropic, "Vision"). */
const ANTHROPIC_IMAGES: ImageRule = { kind: "anthropic-patches", most: 1568, unknown: 1568 }

/** 258 tokens for each tile of 768 pixels; an image of unknown size is priced as four (Google, "Token counting"). */
const GEMINI_IMAGES: ImageRule = { kind: "flat", unknown: 1032 }

const IMAGES: Partial<Record<Maker, ImageRule>> = { anthropic: ANTHROPIC_IMAGES, google: GEMINI_IMAGES }

/**
 * Makes a target: what is not said follows from the name of the model and the format.
 *
 * **Example** (A model that binds its signatures to the prefix)
 *
 * ```ts
 * import { makeTarget } from "@palimpsest/core/formats"
 *
 * makeTarget({ format: "anthropic", model: "claude-fable-5-1", window: 200_000 }).reasoning // => "prefix"
 * makeTarget({ format: "openai-chat", model: "gpt-5", window: 400_000 }).reasoning // => "none"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeTarget = (input: TargetInput): Target => {
  const maker = makerOf(input.model)
  const image = IMAGES[maker] ?? defaultAccounting.image
  return {
    reasoning: reasoningOf(input.format, input.model, maker),
    family: maker === "other" ? input.model : maker,
    accounting: { ...defaultAccounting, image },
    images: true,
    cache: maker === "anthropic" ? "marks" : "automatic",
    ...input,
  }
}

/**
 * The family of a model's signatures, by its name.
 *
 * @category getters
 * @since 0.1.0
 */
export const familyOf = (model: string): string => {
  const maker = makerOf(model)
  return maker === "other" ? model : maker
}
