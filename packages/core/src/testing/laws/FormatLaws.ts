/**
 * Law 3 of each format.
 *
 * @since 0.1.0
 */
import { aiSdk } from "../../formats/ai-sdk/Format.ts"
import { anthropic } from "../../formats/anthropic/Format.ts"
import { aiSdkMessages } from "../arbitraries/wire/AiSdk.ts"
import { anthropicMessages } from "../arbitraries/wire/Anthropic.ts"
import type { Law } from "../Law.ts"
import { formatLaw } from "./Formats.ts"

/**
 * The law of validity for each format.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaws: ReadonlyArray<Law> = [
  formatLaw(aiSdk, { list: aiSdkMessages, field: "messages" }),
  formatLaw(anthropic, { list: anthropicMessages, field: "messages" }),
]
