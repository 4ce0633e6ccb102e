/** Each stage has a span with its numbers, and none holds what was said. */
import { assistant, toolResult, user } from "@palimpsest/core"
import { Engine, Facts, Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer, Tracer } from "effect"
import { assert, describe, it } from "vitest"

interface Seen {
  readonly name: string
  readonly attributes: ReadonlyMap<string, unknown>
}

/** A tracer that keeps every span it makes. */
const recording = (): { readonly spans: Array<Seen>; readonly tracer: Tracer.Tracer } => {
  const spans: Array<Seen> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return { spans, tracer }
}

const SECRET = "the launch code is 7741-alpha"

const program = Effect.gen(function* () {
  const engine = yield* Engine
  const step = yield* engine.open(
    { tenant: "t", chat: "c" },
    { budget: { window: 2_000 }, system: "Be kind." },
  )
  yield* step.append([{ message: user(SECRET) }])
  for (let i = 0; i < 12; i++) {
    const call = { id: `c${i}`, name: "read", arguments: JSON.stringify({ path: `src/${i}.ts` }) }
    yield* step.append([
      { message: assistant(`Reading ${i}: ${SECRET}.`, [call]) },
      { message: toolResult(call.id, `${SECRET} ${"word ".repeat(60)}`) },
    ])
    yield* step.prompt
  }
  yield* step.compact()
  yield* step.end
})

const facts = Layer.succeed(Facts, Facts.of({ flush: () => Effect.succeed(2) }))

describe("spans", () => {
  it("tell each stage and its tokens, and nothing of the content", async () => {
    const { spans, tracer } = recording()
    const layer = Engine.layer.pipe(Layer.provide([memoryStore, Tokens.layerEstimate, facts]))
    await Effect.runPromise(program.pipe(Effect.provide(layer), Effect.withTracer(tracer)))
    const names = new Set(spans.map((span) => span.name))
    for (const stage of ["open", "append", "prompt", "checkpoint", "flush", "compact", "summarise", "mark"])
      assert.isTrue(names.has(`Palimpsest.${stage}`), `a span for ${stage}, among ${[...names].join(", ")}`)
    const prompt = spans.findLast((span) => span.name === "Palimpsest.prompt")
    assert.isNumber(prompt?.attributes.get("prompt.tokens"))
    assert.isString(prompt?.attributes.get("prompt.decision"))
    const pass = spans.find((span) => span.name === "Palimpsest.compact")
    assert.isNumber(pass?.attributes.get("pass.gain"))
    for (const span of spans)
      for (const [name, value] of span.attributes)
        assert.notInclude(JSON.stringify(value), "7741", `${span.name} ${name}`)
  })
})
