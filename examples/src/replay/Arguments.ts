/** The command line of `replay`. */
import { parseArgs } from "node:util"
import { Result } from "effect"

/** Where the thread is kept while it is replayed. */
export type Database =
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Folder"; readonly path: string }
  | { readonly _tag: "Postgres"; readonly url: string }

export interface ReplayOptions {
  readonly file: string
  /** Tokens of the model's window. */
  readonly window: number
  /** Tokens kept free for the reply; undefined leaves it to the library. */
  readonly reserve: number | undefined
  /** Tokens of the tail; undefined leaves it to the policy. */
  readonly tail: number | undefined
  readonly database: Database
  readonly system: "auto" | "include" | "omit"
  readonly join: boolean
  readonly json: boolean
  /** Where to write the prompts, one JSON line for each step. */
  readonly dump: string | undefined
  /** Chats of the file at most; undefined for all. */
  readonly limit: number | undefined
}

/** What the command line asks for. */
export type Command = { readonly _tag: "Help" } | { readonly _tag: "Replay"; readonly options: ReplayOptions }

/** A command line that cannot be followed; the process ends with `exitCode`. */
export interface UsageError {
  readonly _tag: "UsageError"
  readonly message: string
  readonly exitCode: 2
}

const DEFAULTS = { window: "16K", db: "memory", system: "auto" } as const

export const HELP = `replay: run a recorded chat through the memory, step by step, and show what the
model would see

Usage: npm run -s replay -- FILE [options]

  FILE             OpenAI chat messages, tau2-bench results or a LoCoMo dialogue
  --window N       tokens of the model's window (default ${DEFAULTS.window}; K is thousands)
  --reserve N      tokens kept free for the reply (default: a fifth of the window)
  --tail N         tokens of the newest rows kept verbatim (default: the policy's)
  --db WHERE       memory, a folder (embedded Postgres), or postgres://… (default ${DEFAULTS.db})
  --system HOW     auto, include or omit the recorded system prompt (default ${DEFAULTS.system})
  --join           run all chats of the file as one thread
  --limit N        only the first N chats of the file
  --dump OUT.jsonl write the prompt of each step, one JSON line each
  --json           print one JSON object last, and no drawing
  --help           print this
`

const usage = (message: string): Result.Result<never, UsageError> =>
  Result.fail({ _tag: "UsageError", message: `${message} See --help.`, exitCode: 2 })

const parseTokens = (text: string): number | undefined => {
  const [, digits = "", suffix = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([kKmM]?)$/.exec(text.trim()) ?? []
  const factor = suffix === "" ? 1 : suffix.toLowerCase() === "k" ? 1000 : 1_000_000
  const n = Math.round(Number(digits) * factor * 1000) / 1000
  return digits !== "" && Number.isInteger(n) && n > 0 ? n : undefined
}

const readNumber = (option: string, text: string): Result.Result<number, UsageError> => {
  const n = parseTokens(text)
  return n === undefined
    ? usage(`--${option} ${JSON.stringify(text)}: give a whole number above 0, such as 8000 or 8K.`)
    : Result.succeed(n)
}

const readOptional = (option: string, text: string | undefined) =>
  text === undefined ? Result.succeed(undefined) : readNumber(option, text)

const readDatabase = (text: string): Result.Result<Database, UsageError> => {
  if (text === "memory") return Result.succeed({ _tag: "Memory" })
  if (/^postgres(ql)?:\/\//.test(text)) return Result.succeed({ _tag: "Postgres", url: text })
  if (text === "" || /^[a-z]+:\/\//i.test(text)) {
    // What follows the scheme may hold a password.
    const shown = text.replace(/:\/\/.*$/s, "://…")
    return usage(
      `--db ${JSON.stringify(shown)}: give memory, a folder, or an address that begins with postgres://.`,
    )
  }
  return Result.succeed({ _tag: "Folder", path: text })
}

const readSystem = (text: string): Result.Result<ReplayOptions["system"], UsageError> =>
  text === "auto" || text === "include" || text === "omit"
    ? Result.succeed(text)
    : usage(`--system ${JSON.stringify(text)}: give auto, include or omit.`)

const readFile = (files: ReadonlyArray<string>): Result.Result<string, UsageError> => {
  const [file, second] = files
  if (file === undefined || file === "") return usage("FILE is missing: name the transcript to replay.")
  return second === undefined
    ? Result.succeed(file)
    : usage(`${JSON.stringify(second)}: give one FILE only, or quote a name that has blanks.`)
}

const split = (argv: ReadonlyArray<string>) =>
  parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      window: { type: "string", default: DEFAULTS.window },
      reserve: { type: "string" },
      tail: { type: "string" },
      db: { type: "string", default: DEFAULTS.db },
      system: { type: "string", default: DEFAULTS.system },
      limit: { type: "string" },
      dump: { type: "string" },
      join: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })

/** What the parser of Node throws, in our words: which option, and what to do. */
const splitFault = (error: unknown): string => {
  const said = error instanceof Error ? error.message : String(error)
  const option = /'(-[^' ]*)/.exec(said)?.[1] ?? "an option"
  if (/unknown option/i.test(said)) return `${option}: there is no such option.`
  if (/does not take an argument/.test(said))
    return `${option}: it takes no value; leave out what follows it.`
  return `${option}: a value is missing after it.`
}

const trySplit = (argv: ReadonlyArray<string>): Result.Result<ReturnType<typeof split>, UsageError> => {
  try {
    return Result.succeed(split(argv))
  } catch (error) {
    return usage(splitFault(error))
  }
}

/** Checks what numbers say together. */
const checkTogether = ({ window, reserve, tail }: ReplayOptions): Result.Result<void, UsageError> => {
  if (reserve !== undefined && reserve >= window) {
    return usage(
      `--reserve ${reserve}: it must be less than --window (${window}), or nothing is left to send.`,
    )
  }
  return tail !== undefined && tail > window - (reserve ?? 0)
    ? usage(`--tail ${tail}: it must fit --window less --reserve (${window - (reserve ?? 0)}).`)
    : Result.succeed(undefined)
}

/** Reads a command line, without the program's own name. */
export const parseArguments = (argv: ReadonlyArray<string>): Result.Result<Command, UsageError> =>
  Result.gen(function* () {
    const { values, positionals } = yield* trySplit(argv)
    if (values.help) return { _tag: "Help" as const }
    if (values.dump === "") return yield* usage('--dump "": name the file to write.')
    const options: ReplayOptions = {
      file: yield* readFile(positionals),
      window: yield* readNumber("window", values.window),
      reserve: yield* readOptional("reserve", values.reserve),
      tail: yield* readOptional("tail", values.tail),
      database: yield* readDatabase(values.db),
      system: yield* readSystem(values.system),
      join: values.join,
      json: values.json,
      dump: values.dump,
      limit: yield* readOptional("limit", values.limit),
    }
    yield* checkTogether(options)
    return { _tag: "Replay" as const, options }
  })
