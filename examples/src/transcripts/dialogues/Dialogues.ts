/** Dialogues of data sets: a user and an assistant, without tools. */
import { assistant, type Message, user } from "@palimpsest/core"
import { Result, Schema } from "effect"
import { fieldOf, has, isFields } from "../Fields.ts"
import { malformed, type Reader, whole } from "../Reader.ts"
import type { Source } from "../Source.ts"
import { FORMATS, type Format, type Transcript, transcriptOf } from "../Transcript.ts"

/** A dialogue before it is a transcript. */
interface Dialogue {
  readonly name: string
  readonly messages: ReadonlyArray<Message>
  readonly ids?: ReadonlyArray<string>
}

const transcript = (format: Format, { name, messages, ids }: Dialogue): Transcript =>
  transcriptOf(
    format,
    name,
    messages.map((message, i) => {
      const id = ids?.[i]
      return { message, origin: { ids: id === undefined ? [] : [id] } }
    }),
  )

/** Makes a reader of the schema of a format and of what is made of it. */
const readerOf = <A>(
  format: Format,
  fits: Reader["fits"],
  schema: Schema.ConstraintDecoder<A>,
  dialoguesOf: (data: A, name: string) => ReadonlyArray<Dialogue>,
): Reader => {
  const decode = Schema.decodeUnknownResult(schema)
  return {
    format,
    fits,
    read: (source) =>
      Result.flatMap(whole(source), ({ name, value }) =>
        decode(value).pipe(
          Result.map((data) => dialoguesOf(data, name).map((each) => transcript(format, each))),
          Result.mapError(({ message }) =>
            malformed(name, FORMATS[format], message, "Use a file as the data set has it."),
          ),
        ),
      ),
  }
}

const firstOf = ({ value }: Source): unknown => (Array.isArray(value) ? value[0] : undefined)

const Turn = Schema.Struct({
  role: Schema.Literals(["user", "assistant"]),
  content: Schema.String,
  id: Schema.Union([Schema.String, Schema.Number]),
})

/** BEAM: batches of turns, each some messages. All are one chat. */
export const beam = readerOf(
  "beam",
  (source) => has(firstOf(source), "batch_number", "turns"),
  Schema.Array(Schema.Struct({ turns: Schema.Array(Schema.Array(Turn)) })),
  (batches, name) => {
    const turns = batches.flatMap((batch) => batch.turns.flat())
    const messages = turns.map(({ role, content }) => (role === "user" ? user(content) : assistant(content)))
    return [{ name, messages, ids: turns.map(({ id }) => String(id)) }]
  },
)

const Day = Schema.Array(Schema.Struct({ query: Schema.String, response: Schema.String }))

/** MemoryBank: the days of each of some users. Each user is a chat; the first question of a day says its date. */
export const memoryBank = readerOf(
  "memorybank",
  ({ value }) =>
    isFields(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((each) => isFields(fieldOf(each, "history"))),
  Schema.Record(Schema.String, Schema.Struct({ history: Schema.Record(Schema.String, Day) })),
  (people) =>
    Object.entries(people).map(([name, { history }]) => ({
      name: name.trim(),
      messages: Object.entries(history).flatMap(([date, day]) =>
        day.flatMap(({ query, response }, i) => [
          user(i === 0 ? `[${date}] ${query}` : query),
          assistant(response),
        ]),
      ),
    })),
)

/** XPersona: pairs of what two people say. The first one is taken as the user. */
export const xpersona = readerOf(
  "xpersona",
  (source) => has(firstOf(source), "persona", "dialogue"),
  Schema.Array(Schema.Struct({ dialogue: Schema.Array(Schema.Array(Schema.String)) })),
  (dialogues, name) =>
    dialogues.map(({ dialogue }, at) => ({
      name: `${name}#${at + 1}`,
      messages: dialogue.flatMap((said) =>
        said.map((text, i) => (i % 2 === 0 ? user(text) : assistant(text))),
      ),
    })),
)

const Answered = Schema.Struct({ input: Schema.NullOr(Schema.String), assistant_response: Schema.String })

/** Results of single questions: each is a chat of one turn. Those whose question is missing are left out. */
export const testResults = readerOf(
  "test-results",
  ({ value }) => {
    const results = fieldOf(value, "results")
    return Array.isArray(results) && has(results[0], "input", "assistant_response")
  },
  Schema.Struct({ results: Schema.Array(Answered) }),
  ({ results }, name) =>
    results.flatMap(({ input, assistant_response: answer }, i) =>
      input === null ? [] : [{ name: `${name}#${i + 1}`, messages: [user(input), assistant(answer)] }],
    ),
)
