/**
 * Forms that an item must not have: refusals, tool protocol, turns, tags of a fence.
 *
 * @since 0.1.0
 */
import { findTags } from "../text/Tag.ts"

/** Openings of an answer that declines, or asks for the material, in the languages most chats are in. */
const REFUSALS: ReadonlyArray<RegExp> = [
  /^(?:i['’]?m |i am |we['’]?re )?(?:so |very )?sorry\b/i,
  /^(?:unfortunately,? )?(?:i|we) (?:can(?:no|['’])t|can not|won['’]t|will not|am (?:not able|unable)|must decline|do(?: not|n['’]t) (?:have|see))\b/i,
  /^as an ai\b|^i apologi[sz]e\b|^there (?:is|are) no(?:thing)?\b.{0,40}\b(?:conversation|transcript|events?|messages?|summari)/i,
  /^(?:please|could you|can you) (?:provide|share|send|paste)\b.{0,60}\b(?:conversation|transcript|events?|messages?|text|history)/i,
  /^(?:lo siento|disculp[ae]|no puedo|lamento)\b/i,
  /^(?:désolé|je suis désolé|je ne (?:peux|puis) pas|je regrette)/i,
  /^(?:es tut mir leid|leider kann ich|ich kann (?:das|dies|diese|diesen|dabei|ihnen|dir|nicht|keine)|tut mir leid)/i,
  /^(?:mi dispiace|non posso|spiacente)\b/i,
  /^(?:desculpe|sinto muito|não posso|lamento)/i,
  /^(?:извините|простите|к сожалению|я не могу|вибачте|на жаль|я не можу|przepraszam|nie mogę)/i,
  /^(?:抱歉|对不起|對不起|很遗憾|我无法|我不能|我無法)/,
  /^(?:申し訳|すみません|ごめんなさい|죄송|미안)/,
]

const TOOL_SYNTAX: ReadonlyArray<RegExp> = [
  /<\|?\/?(?:tool[_-]?calls?|function[_-]?calls?|invoke|tool[_-]?results?|tool_use)\b/i,
  /\[\/?TOOL_(?:CALLS|RESULTS)\]/,
  /[{,]\s{0,8}"(?:name|function|tool|tool_name|recipient_name)"\s{0,8}:[^{}]{0,200}"(?:arguments|parameters|args|input)"\s{0,8}:/i,
  /[{,]\s{0,8}"(?:tool_calls|function_call)"\s{0,8}:/i,
]

const LINE = "(?:[\\r\\n\\u0085\\u2028\\u2029]|^)"
const TURN_AFTER_BREAK =
  /[\r\n\u0085\u2028\u2029]\s{0,16}[*_#>\s]{0,8}(?:human|assistant|user|system|developer|tool|ai|用户|助手|ユーザー|アシスタント|пользователь|ассистент)[*_]{0,4}\s{0,4}[:：]/i
const TURN_AT_START = /^\s{0,16}[*_#>]{0,4}(?:human|assistant)[*_]{0,4}\s{0,4}[:：]/i
const TURN_TOKENS = new RegExp(
  `<\\|(?:im_start|im_end|start_header_id|eot_id|user|assistant|system|endoftext)\\|>|\\[/?INST\\]|<</?SYS>>|${LINE}\\s{0,8}<(?:start|end)_of_turn>`,
  "i",
)

export const isRefusal = (text: string): boolean => {
  const opening = text.trimStart().slice(0, 200)
  return REFUSALS.some((form) => form.test(opening))
}

export const isFenceText = (text: string): boolean => findTags(text).length > 0
export const isToolSyntax = (text: string): boolean => TOOL_SYNTAX.some((form) => form.test(text))

export const isTurnText = (text: string): boolean =>
  TURN_AFTER_BREAK.test(text) || TURN_AT_START.test(text) || TURN_TOKENS.test(text)

/** Scripts in which two characters are a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** True for a text of at least three letters, or two of a script without spaces: a bare "4" or "-" says nothing. */
export const saysSomething = (text: string): boolean => {
  const head = text.slice(0, 400)
  return (head.match(/\p{L}/gu)?.length ?? 0) + (head.match(DENSE)?.length ?? 0) >= 3
}
