/**
 * The chat-completions protocol: what is sent, and what comes back.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"
import { AiError, type LanguageModel, type Prompt, type Response } from "effect/ai"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"

const count = Schema.optional(Schema.NullOr(Schema.Int))
const text = Schema.optional(Schema.NullOr(Schema.String))

const TextPiece = Schema.Struct({ type: Schema.String, text })

const Choice = Schema.Struct({
  finish_reason: text,
  message: Schema.Struct({
    content: Schema.optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(TextPiece)]))),
    refusal: text,
    reasoning_content: text,
  }),
})

const Usage = Schema.Struct({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: Schema.optional(Schema.NullOr(Schema.Struct({ cached_tokens: count }))),
  completion_tokens_details: Schema.optional(Schema.NullOr(Schema.Struct({ reasoning_tokens: count }))),
})

/**
 * Decodes a chat completion, as loosely as servers write them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Completion = Schema.Struct({
  id: text,
  model: text,
  choices: Schema.NonEmptyArray(Choice),
  usage: Schema.optional(Schema.NullOr(Usage)),
})

type Completion = typeof Completion.Type

const textOnly = (message: Exclude<Prompt.Message, Prompt.SystemMessage>): string | undefined => {
  const texts: Array<string> = []
  for (const part of message.content) {
    if (part.type === "text") texts.push(part.text)
    else if (part.type !== "reasoning") return undefined
  }
  return texts.join("\n")
}

const wireMessage = (message: Prompt.Message) => {
  const content = message.role === "system" ? message.content : textOnly(message)
  return content === undefined || message.role === "tool"
    ? Effect.fail(unsupported("only text parts can be sent"))
    : Effect.succeed({ role: message.role, content })
}

const failure = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: "OpenAiChat", method: "generateText", reason })

const unsupported = (description: string) => failure(new AiError.InvalidRequestError({ description }))

const wireFormat = (format: LanguageModel.ProviderOptions["responseFormat"], strict: boolean) =>
  format.type === "text"
    ? {}
    : {
        response_format: {
          type: "json_schema",
          json_schema: { name: format.objectName, strict, schema: toCodecOpenAI(format.schema).jsonSchema },
        },
      }

/**
 * Makes the body of a request. A prompt with tools, files or tool results is refused: this layer is for requests
 * of text, such as a summariser's.
 *
 * @category constructors
 * @since 0.1.0
 */
export const requestBody = Effect.fnUntraced(function* (
  model: string,
  strict: boolean,
  extra: Readonly<Record<string, unknown>>,
  options: LanguageModel.ProviderOptions,
) {
  if (options.tools.length > 0) return yield* unsupported("tools are not supported")
  const messages = yield* Effect.forEach(options.prompt.content, wireMessage)
  const format = yield* Effect.try({
    try: () => wireFormat(options.responseFormat, strict),
    catch: () =>
      failure(new AiError.UnsupportedSchemaError({ description: "not expressible as JSON Schema" })),
  })
  return { ...extra, model, messages, ...format }
})

const FINISH: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
}

/**
 * Names a finish reason as Effect does.
 *
 * @category getters
 * @since 0.1.0
 */
export const finishOf = (completion: Completion): Response.FinishReason => {
  const wire = completion.choices[0].finish_reason
  return wire === null || wire === undefined ? "unknown" : (FINISH[wire] ?? "other")
}

/**
 * Reads the tokens that a completion took, as far as the server tells.
 *
 * @category getters
 * @since 0.1.0
 */
export const usageOf = ({ usage }: Completion): Response.FinishPartEncoded["usage"] => ({
  inputTokens: {
    uncached: undefined,
    total: usage?.prompt_tokens ?? undefined,
    cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
    cacheWrite: undefined,
  },
  outputTokens: {
    total: usage?.completion_tokens ?? undefined,
    text: undefined,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? undefined,
  },
})

const contentText = (content: Completion["choices"][0]["message"]["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((piece) => (piece.type === "text" ? (piece.text ?? "") : "")).join("")

/**
 * Reads the parts of a completion: reasoning apart from text, and how it finished. A refusal is an error.
 *
 * @category getters
 * @since 0.1.0
 */
export const partsOf = (
  completion: Completion,
): Effect.Effect<Array<Response.PartEncoded>, AiError.AiError> => {
  const { message } = completion.choices[0]
  if (message.refusal) return Effect.fail(failure(new AiError.ContentPolicyError({ description: "refused" })))
  const said = contentText(message.content)
  return Effect.succeed([
    ...(message.reasoning_content ? [{ type: "reasoning", text: message.reasoning_content } as const] : []),
    ...(said === "" ? [] : [{ type: "text", text: said } as const]),
    { type: "finish", reason: finishOf(completion), usage: usageOf(completion), response: undefined },
  ])
}
