/**
 * Law 3 of each format.
 *
 * @since 0.1.0
 */
import { anthropic } from "../../formats/anthropic/Format.ts"
import { langchain } from "../../formats/langchain/Format.ts"
import { anthropicMessages } from "../arbitraries/wire/Anthropic.ts"
import { langChainMessages } from "../arbitraries/wire/LangChain.ts"
import type { Law } from "../Law.ts"
import { formatLaw } from "./Formats.ts"

/**
 * The law of validity for each format.
 *
 * @category laws
 * @since 0.1.0
 */
export const formatLaws: ReadonlyArray<Law> = [
  formatLaw(anthropic, { list: anthropicMessages, field: "messages" }),
  formatLaw(langchain, { list: langChainMessages, field: "messages" }),
]
