/**
 * Random items of the Responses API, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { nearlyValid } from "../Wire.ts"
import { anyItem, few, said } from "./ResponsesItems.ts"

const SEALED = { encrypted_content: "ZW5j" }

/** A response with calls and their outputs, then perhaps what a user says. */
const exchange = (turn: number): fc.Arbitrary<ReadonlyArray<object>> =>
  fc
    .record({
      outputs: fc.array(said, { minLength: 1, maxLength: 2 }),
      thought: fc.constantFrom(null, SEALED, { id: `rs_${turn}x`, ...SEALED }, { id: `rs_${turn}x` }),
      isSaid: fc.boolean(),
      isHeard: fc.boolean(),
    })
    .map(({ outputs, thought, isSaid, isHeard }) => {
      const ids = outputs.map((_, i) => `call_${turn}_${i}`)
      const text = { type: "output_text", text: "Let me look.", annotations: [] }
      return [
        ...(thought === null ? [] : [{ type: "reasoning", ...thought, summary: [] }]),
        ...(isSaid
          ? [{ type: "message", id: `msg_${turn}x`, role: "assistant", status: "completed", content: [text] }]
          : []),
        ...ids.map((id) => ({
          type: "function_call",
          id: `fc_${id}`,
          call_id: id,
          name: "find",
          arguments: "{}",
        })),
        ...ids.map((id, i) => ({ type: "function_call_output", call_id: id, output: outputs[i] })),
        ...(isHeard ? [{ role: "user", content: "And?" }] : []),
      ]
    })

/** A conversation that is nearly valid. */
const talk = nearlyValid(exchange, anyItem, 12)

/**
 * Makes a list of items of the Responses API.
 *
 * @category testing
 * @since 0.1.0
 */
export const openAiResponsesItems: fc.Arbitrary<ReadonlyArray<unknown>> = fc.oneof(
  { weight: 2, arbitrary: few(anyItem, 8) },
  { weight: 1, arbitrary: talk },
)

/**
 * Makes what stands beside the items of a request: instructions, what is stored, what the request goes on from.
 *
 * @category testing
 * @since 0.1.0
 */
export const openAiResponsesFrame: fc.Arbitrary<object> = fc.record(
  {
    model: fc.constant("gpt-5.2"),
    instructions: fc.constantFrom<unknown>("Be brief.", "", null),
    store: fc.constantFrom<unknown>(false, false, true, null),
    include: fc.constant(["reasoning.encrypted_content"]),
    previous_response_id: fc.constantFrom<unknown>("resp_1", null, null),
    conversation: fc.constantFrom<unknown>("conv_1", { id: "conv_1" }, null, null),
  },
  { requiredKeys: [] },
)
