/**
 * What servers that speak Chat Completions do not have in common, as data.
 *
 * @since 0.1.0
 */
import type { IdRule } from "../format/Ids.ts"
import type { OpenAiMessage } from "./Wire.ts"

/**
 * A kind of server that speaks Chat Completions.
 *
 * - `openai`: OpenAI's own API.
 * - `deepseek`: DeepSeek, and others that want their reasoning back with the calls that it led to.
 * - `mistral`: Mistral's API.
 * - `strict`: servers whose chat template takes turns: Llama, Gemma and others behind vLLM.
 * - `bedrock`: a route to Bedrock's Converse.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiChatDialect = "openai" | "deepseek" | "mistral" | "strict" | "bedrock"

/** A dialect: what its server takes. */
export interface Dialect {
  readonly name: OpenAiChatDialect
  readonly ids: IdRule
  /** The rule that an id breaks. */
  readonly idRule: "OC11" | "OT1"
  /** Roles that the server knows. */
  readonly roles: ReadonlySet<OpenAiMessage["role"]>
  /** Whether fields of reasoning are refused, wanted back in turns that hold calls, or not looked at. */
  readonly reasoning: "refused" | "wanted" | "ignored"
  /** Whether a response may be audio, a refusal or a call of the old form, and a result a list of texts. */
  readonly isRich: boolean
  /** Whether a text of blanks is refused. */
  readonly refusesBlank: boolean
}

/** The API refuses longer ids: "Expected a string with maximum length 40" (vercel/ai#8132). */
const OPENAI_IDS: IdRule = { alphabet: "any", min: 1, max: 40, unique: "response" }

const MISTRAL_IDS: IdRule = { alphabet: "letters", min: 9, max: 9, unique: "response" }

const PLAIN_ROLES = new Set(["system", "user", "assistant", "tool"] as const)

const compatible = {
  ids: OPENAI_IDS,
  idRule: "OC11",
  roles: PLAIN_ROLES,
  reasoning: "ignored",
  isRich: false,
  refusesBlank: false,
} as const

/** The dialects by their names. */
export const DIALECTS: Readonly<Record<OpenAiChatDialect, Dialect>> = {
  openai: {
    ...compatible,
    name: "openai",
    roles: new Set([...PLAIN_ROLES, "developer", "function"] as const),
    reasoning: "refused",
    isRich: true,
  },
  deepseek: { ...compatible, name: "deepseek", reasoning: "wanted" },
  mistral: { ...compatible, name: "mistral", ids: MISTRAL_IDS, idRule: "OT1", reasoning: "refused" },
  strict: { ...compatible, name: "strict" },
  bedrock: { ...compatible, name: "bedrock", refusesBlank: true },
}
