/**
 * Results of tau2-bench: simulated chats between a user, who may have tools of their own, and an agent.
 *
 * The transcript is what the agent saw. What the user did with their tools is left out and counted.
 */
import { assistant, type Message, toolResult, user } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { Result, Schema } from "effect"
import { has } from "../Fields.ts"
import { malformed, type Reader, whole } from "../Reader.ts"
import { type Said, type Transcript, transcriptOf } from "../Transcript.ts"
import { chatUsage } from "../Usage.ts"

const Call = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.Unknown,
  requestor: Schema.optionalKey(Schema.Literals(["user", "assistant"])),
})

const Turn = Schema.Struct({
  role: Schema.Literals(["user", "assistant", "tool"]),
  content: Schema.NullOr(Schema.String),
  id: Schema.optionalKey(Schema.String),
  requestor: Schema.optionalKey(Schema.Literals(["user", "assistant"])),
  error: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  tool_calls: Schema.optionalKey(Schema.NullOr(Schema.Array(Call))),
  usage: Schema.optionalKey(Schema.Unknown),
  raw_data: Schema.optionalKey(Schema.Unknown),
})

const Results = Schema.Struct({
  info: Schema.Struct({
    environment_info: Schema.Struct({ policy: Schema.String }),
    agent_info: Schema.optionalKey(Schema.Struct({ llm: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
  }),
  simulations: Schema.Array(
    Schema.Struct({ id: Schema.String, task_id: Schema.Unknown, messages: Schema.Array(Turn) }),
  ),
})

type Call = typeof Call.Type
type Turn = typeof Turn.Type
type Simulation = (typeof Results.Type)["simulations"][number]

const RawCalls = Schema.Struct({
  tool_calls: Schema.Array(
    Schema.Struct({ id: Schema.String, function: Schema.Struct({ arguments: Schema.String }) }),
  ),
})
const decodeRaw = Schema.decodeUnknownResult(Schema.Union([Schema.Struct({ message: RawCalls }), RawCalls]))

/** The arguments as the model wrote them, by the id of their call. */
const rawArguments = (turn: Turn): ReadonlyMap<string, string> => {
  const raw = Result.getOrUndefined(decodeRaw(turn.raw_data))
  const calls = raw === undefined ? [] : "message" in raw ? raw.message.tool_calls : raw.tool_calls
  return new Map(calls.map((call) => [call.id, call.function.arguments]))
}

const response = (turn: Turn, calls: ReadonlyArray<Call>): Message => {
  const raw = rawArguments(turn)
  return assistant(
    turn.content ?? "",
    calls.map(({ id, name, arguments: input }) => ({
      id,
      name,
      arguments: raw.get(id) ?? writeExact(input) ?? "{}",
    })),
  )
}

/** What the agent saw of a turn, or null; and how many calls and results it did not see. */
const seen = (turn: Turn, names: ReadonlyMap<string, string>): readonly [Message | null, skipped: number] => {
  const calls = turn.tool_calls ?? []
  switch (turn.role) {
    case "assistant":
      return [response(turn, calls), 0]
    case "user":
      return [turn.content === null && calls.length > 0 ? null : user(turn.content ?? ""), calls.length]
    case "tool": {
      if (turn.requestor === "user") return [null, 1]
      const id = turn.id ?? ""
      const name = names.get(id)
      const status = turn.error === true ? "error" : "ok"
      return [toolResult(id, turn.content ?? "", { status, ...(name === undefined ? {} : { name }) }), 0]
    }
  }
}

const readSimulation = (simulation: Simulation, { info }: typeof Results.Type): Transcript => {
  const names = new Map(
    simulation.messages.flatMap((turn) =>
      (turn.tool_calls ?? []).map((call) => [call.id, call.name] as const),
    ),
  )
  const model = info.agent_info?.llm ?? ""
  const said: Array<Said> = []
  let skipped = 0
  for (const turn of simulation.messages) {
    const [message, unseen] = seen(turn, names)
    skipped += unseen
    if (message === null) continue
    const usage = turn.role === "assistant" ? chatUsage(turn.usage) : undefined
    const cost = usage === undefined ? {} : { usage, ...(model === "" ? {} : { model }) }
    said.push({ message, origin: { ids: [], ...cost } })
  }
  const notes = [
    `task ${String(simulation.task_id)}`,
    ...(skipped === 0 ? [] : [`${skipped} calls and results of the user's own tools are left out`]),
  ]
  return transcriptOf("tau2", simulation.id, said, { system: info.environment_info.policy, skipped, notes })
}

const decode = Schema.decodeUnknownResult(Results)

export const tau2: Reader = {
  format: "tau2",
  fits: ({ value }) => has(value, "simulations"),
  read: (source) =>
    Result.flatMap(whole(source), ({ name, value }) =>
      decode(value).pipe(
        Result.map((results) => results.simulations.map((each) => readSimulation(each, results))),
        Result.mapError(({ message }) =>
          malformed(name, "tau2-bench results", message, "Use a results file as tau2-bench writes it."),
        ),
      ),
    ),
}
