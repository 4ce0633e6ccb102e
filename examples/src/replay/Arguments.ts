/** The command line of `replay`. */
import { statSync } from "node:fs"
import { parseArgs } from "node:util"
import { Result } from "effect"
import { DEFAULTS } from "./Help.ts"

/** Where the thread is kept while it is replayed: `Memory` is Postgres in the process, `Heap` is no database. */
export type Database =
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Heap" }
  | { readonly _tag: "Folder"; readonly path: string }
  | { readonly _tag: "Postgres"; readonly url: string }

/** The address of a database, as the adapter takes it. */
export const addressOf = (database: Exclude<Database, { readonly _tag: "Heap" }>): string => {
  switch (database._tag) {
    case "Memory":
      return "memory"
    case "Folder":
      return database.path
    case "Postgres":
      return database.url
  }
}

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

/** What a run over a folder is asked for. */
export interface AllOptions
  extends Pick<ReplayOptions, "reserve" | "tail" | "database" | "system" | "json" | "limit"> {
  readonly folder: string
  /** Tokens of the model's window: each file is played at each. */
  readonly windows: ReadonlyArray<number>
}

/** What the command line asks for. */
export type Command =
  | { readonly _tag: "Help" }
  | { readonly _tag: "Replay"; readonly options: ReplayOptions }
  | { readonly _tag: "ReplayAll"; readonly options: AllOptions }

/** A command line that cannot be followed; the process ends with `exitCode`. */
export interface UsageError {
  readonly _tag: "UsageError"
  readonly message: string
  readonly exitCode: 2
}

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

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const readDatabase = (text: string): Result.Result<Database, UsageError> => {
  if (text === "memory") return Result.succeed({ _tag: "Memory" })
  if (text === "heap") return Result.succeed({ _tag: "Heap" })
  if (/^postgres(ql)?:\/\//.test(text)) return Result.succeed({ _tag: "Postgres", url: text })
  if (text === "" || /^[a-z]+:\/\//i.test(text)) {
    // What follows the scheme may hold a password.
    const shown = text.replace(/:\/\/.*$/s, "://…")
    return usage(
      `--db ${JSON.stringify(shown)}: give memory, heap, a folder, or an address that begins with postgres://.`,
    )
  }
  // A word alone is more likely a slip than the name of a new folder.
  if (!/[\\/]/.test(text) && !isFolder(text)) {
    return usage(
      `--db ${JSON.stringify(text)}: give memory, heap, postgres://…, or a folder; a new one as ./${text}.`,
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
  if (file === undefined || file === "")
    return usage("FILE is missing: name the transcript to replay, such as examples/chats/parcels.json.")
  return second === undefined
    ? Result.succeed(file)
    : usage(`${JSON.stringify(second)}: give one FILE only, or quote a name that has blanks.`)
}

const split = (argv: ReadonlyArray<string>) =>
  parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      all: { type: "string" },
      window: { type: "string" },
      windows: { type: "string" },
      reserve: { type: "string" },
      tail: { type: "string" },
      db: { type: "string" },
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
const checkTogether = ({
  window,
  reserve,
  tail,
}: Pick<ReplayOptions, "window" | "reserve" | "tail">): Result.Result<void, UsageError> => {
  if (reserve !== undefined && reserve >= window) {
    return usage(
      `--reserve ${reserve}: it must be less than --window (${window}), or nothing is left to send.`,
    )
  }
  return tail !== undefined && tail > window - (reserve ?? 0)
    ? usage(`--tail ${tail}: it must fit --window less --reserve (${window - (reserve ?? 0)}).`)
    : Result.succeed(undefined)
}

const readWindows = (text: string): Result.Result<ReadonlyArray<number>, UsageError> =>
  Result.all(text.split(",").map((each) => readNumber("windows", each)))

type Values = ReturnType<typeof split>["values"]

/** What both ways have in common. */
const readShared = (values: Values, db: string) =>
  Result.gen(function* () {
    return {
      reserve: yield* readOptional("reserve", values.reserve),
      tail: yield* readOptional("tail", values.tail),
      database: yield* readDatabase(values.db ?? db),
      system: yield* readSystem(values.system),
      json: values.json,
      limit: yield* readOptional("limit", values.limit),
    }
  })

/** Options that mean nothing for a whole folder. */
const checkAll = (values: Values, files: ReadonlyArray<string>): Result.Result<void, UsageError> => {
  const [file] = files
  if (file !== undefined) return usage(`${JSON.stringify(file)}: give --all FOLDER or a FILE, not both.`)
  if (values.all === "") return usage('--all "": name the folder.')
  if (values.window !== undefined) return usage("--window: with --all it is --windows, a list.")
  if (values.join) return usage("--join: it does not go with --all.")
  return values.dump === undefined ? Result.succeed(undefined) : usage("--dump: it does not go with --all.")
}

const readAll = (values: Values, files: ReadonlyArray<string>): Result.Result<AllOptions, UsageError> =>
  Result.gen(function* () {
    yield* checkAll(values, files)
    const windows = yield* readWindows(values.windows ?? DEFAULTS.windows)
    const shared = yield* readShared(values, DEFAULTS.allDb)
    for (const window of windows) yield* checkTogether({ ...shared, window })
    return { ...shared, folder: values.all ?? "", windows }
  })

const readOne = (values: Values, files: ReadonlyArray<string>): Result.Result<ReplayOptions, UsageError> =>
  Result.gen(function* () {
    if (values.dump === "") return yield* usage('--dump "": name the file to write.')
    if (values.windows !== undefined) return yield* usage("--windows: it goes with --all only.")
    const options: ReplayOptions = {
      file: yield* readFile(files),
      window: yield* readNumber("window", values.window ?? DEFAULTS.window),
      ...(yield* readShared(values, DEFAULTS.db)),
      join: values.join,
      dump: values.dump,
    }
    yield* checkTogether(options)
    return options
  })

/** Reads a command line, without the program's own name. */
export const parseArguments = (argv: ReadonlyArray<string>): Result.Result<Command, UsageError> =>
  Result.gen(function* () {
    const { values, positionals } = yield* trySplit(argv)
    if (values.help) return { _tag: "Help" as const }
    return values.all === undefined
      ? { _tag: "Replay" as const, options: yield* readOne(values, positionals) }
      : { _tag: "ReplayAll" as const, options: yield* readAll(values, positionals) }
  })
