/**
 * What stands around the messages of a request of Anthropic's Messages API, and what they are made of.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { wireText } from "../Wire.ts"
import { marked, text } from "./Anthropic.ts"

/**
 * Makes what stands beside the messages of a request: thinking, a system prompt, tools.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicFrame: fc.Arbitrary<object> = fc.record(
  {
    model: fc.constant("claude"),
    thinking: fc.constantFrom<unknown>(
      { type: "enabled", budget_tokens: 1_024 },
      { type: "adaptive" },
      { type: "disabled" },
      null,
    ),
    system: fc.oneof(wireText, fc.array(text, { maxLength: 3 }), fc.constant(7)),
    tools: fc.oneof(
      fc.array(marked(fc.constant({ name: "find", input_schema: { type: "object" } })), { maxLength: 6 }),
      fc.constant(null),
    ),
    cache_control: fc.constant({ type: "ephemeral" }),
  },
  { requiredKeys: [] },
)

/**
 * Takes a message of the Messages API apart into what an append leaves as it is: its blocks, and whose they are.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicPieces = (message: unknown): ReadonlyArray<unknown> => {
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown }
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }]
  return blocks.map((block) => [role, block])
}
