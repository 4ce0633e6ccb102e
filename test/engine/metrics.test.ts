/** What is counted and logged: numbers and names of stages, and nothing of what was said. */
import { assistant, estimateCounter, toolResult, user } from "@palimpsest/core"
import {
  Engine,
  extractiveSummariser,
  passesRun,
  promptsMade,
  promptTokens,
  Summariser,
  SummariserError,
  stepsOpened,
  summariserMillis,
  Tokens,
} from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer, Logger, Metric, References } from "effect"
import { assert, describe, it } from "vitest"

const SECRET = "the launch code is 7741-alpha"

const model = extractiveSummariser(estimateCounter)
let asked = 0
const summariser = Layer.succeed(
  Summariser,
  Summariser.of({
    ...model,
    name: "moody",
    summarise: (request) =>
      Effect.suspend(() => {
        asked += 1
        const detail = `no answer about ${SECRET}`
        const failure = { summariser: "moody", reason: "Unreachable", isRetryable: false, detail }
        const fact = { kind: "fact" as const, text: "Seen.", sources: request.rows.slice(-1) }
        return asked === 1
          ? Effect.fail(new SummariserError(failure))
          : Effect.map(model.summarise(request), (delta) => ({ ...delta, add: [...delta.add, fact] }))
      }),
  }),
)

const program = Effect.gen(function* () {
  const engine = yield* Engine
  const key = { tenant: "t", chat: "c" }
  const step = yield* engine.open(key, { budget: { window: 2_000 }, system: "Be kind." })
  yield* step.append([{ message: user(SECRET) }])
  for (let i = 0; i < 24; i++) {
    const call = { id: `c${i}`, name: "read", arguments: JSON.stringify({ path: `src/${i}.ts` }) }
    yield* step.append([
      { message: assistant(`Reading ${i}: ${SECRET}.`, [call]) },
      { message: toolResult(call.id, `${SECRET} ${"word ".repeat(60)}`) },
    ])
    yield* step.prompt
  }
  yield* step.end
})

describe("metrics and logs", () => {
  it("tell steps, prompts, passes, tokens and the time of the summariser, and quote nothing", async () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message, fiber }) => {
      lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations)]))
    })
    const figures = Effect.gen(function* () {
      yield* program
      return {
        steps: (yield* Metric.value(stepsOpened)).count,
        tokens: (yield* Metric.value(Metric.withAttributes(promptTokens, { part: "tail" }))).count,
        answered: (yield* Metric.value(Metric.withAttributes(summariserMillis, { outcome: "answered" })))
          .count,
        failed: (yield* Metric.value(Metric.withAttributes(summariserMillis, { outcome: "failed" }))).count,
        written: (yield* Metric.value(
          Metric.withAttributes(passesRun, { kind: "summary", outcome: "written" }),
        )).count,
        kept: (yield* Metric.value(Metric.withAttributes(promptsMade, { decision: "Keep" }))).count,
        all: yield* Metric.snapshot,
      }
    })
    const layer = Engine.layer.pipe(Layer.provide([memoryStore, Tokens.layerEstimate, summariser]))
    const { all, ...counted } = await Effect.runPromise(
      figures.pipe(
        Effect.provide(layer),
        Effect.provide(Logger.layer([logger])),
        Effect.provideService(References.MinimumLogLevel, "Debug"),
        Effect.provideService(Metric.MetricRegistry, new Map()),
      ),
    )
    assert.strictEqual(counted.steps, 1)
    assert.strictEqual(counted.tokens, 24)
    assert.strictEqual(counted.failed, 1)
    assert.isAtLeast(counted.answered, 1)
    assert.isAtLeast(counted.written, 2)
    assert.isAtLeast(Number(counted.kept), 10)
    for (const stage of ["palimpsest: prompt", "palimpsest: pass", "palimpsest: degraded"])
      assert.isTrue(
        lines.some((line) => line.includes(stage)),
        `${stage} among ${lines.join("\n")}`,
      )
    assert.notInclude(lines.join(), "7741")
    assert.notInclude(
      JSON.stringify(all, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
      "7741",
    )
  })
})
