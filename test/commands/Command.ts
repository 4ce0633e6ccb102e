import { parseArgs } from "node:util"

/** An option of a command, with its line of help. */
interface Option {
  /** What its value is called; without one it is a switch. */
  readonly value?: string
  readonly multiple?: boolean
  readonly help: string
}

/** A command: what `--help` says of it. */
export interface Command {
  readonly name: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  readonly exits: string
}

/** What was asked for: the values of each option that was given, and whether JSON comes last. */
export interface Request {
  readonly json: boolean
  readonly values: Readonly<Record<string, ReadonlyArray<string>>>
}

const COMMON: Command["options"] = {
  json: { help: "print one JSON object last" },
  help: { help: "print this" },
}

const helpOf = ({ name, summary, options, exits }: Command): string => {
  const all = Object.entries({ ...options, ...COMMON }).map(([option, { value, help }]) => {
    const left = `--${option}${value === undefined ? "" : ` ${value}`}`
    return `  ${left.padEnd(16)} ${help}`
  })
  return [`npm run -s ${name} -- [options]`, "", summary, "", ...all, "", exits].join("\n")
}

const parse = (command: Command, words: ReadonlyArray<string>) => {
  const options = Object.entries({ ...command.options, ...COMMON }).map(
    ([name, { value }]) =>
      [
        name,
        value === undefined ? { type: "boolean" as const } : { type: "string" as const, multiple: true },
      ] as const,
  )
  return parseArgs({ args: [...words], options: Object.fromEntries(options), allowPositionals: false }).values
}

/** Says in one line what is wrong with how a command was called, and ends with code 2. */
export const misused = (command: Command, reason: string): never => {
  console.error(`${command.name}: ${reason}. See --help.`)
  process.exit(2)
}

/** What the parser of Node throws, in our words: which option, and what to do. */
const faultOf = (error: unknown): string => {
  const said = error instanceof Error ? error.message : String(error)
  const option = /'(-[^' ]*)/.exec(said)?.[1]
  if (option === undefined)
    return /'([^']*)'/.exec(said)?.[1]?.replace(/^/, "only options are taken, not ") ?? said
  if (/unknown option/i.test(said)) return `there is no option ${option}`
  return /does not take an argument/.test(said)
    ? `${option} takes no value`
    : `${option} wants a value after it`
}

/** Reads the words after a command; on `--help`, and on a mistake, ends. */
export const requestOf = (command: Command, words = process.argv.slice(2)): Request => {
  try {
    const { json, help, ...given } = parse(command, words)
    if (help === true) {
      console.log(helpOf(command))
      process.exit(0)
    }
    const values = Object.entries(given).map(([name, value]) => [name, [value].flat().map(String)] as const)
    return { json: json === true, values: Object.fromEntries(values) }
  } catch (error) {
    return misused(command, faultOf(error))
  }
}

/** Reads the whole numbers given for an option. */
export const numbersOf = (command: Command, request: Request, option: string): ReadonlyArray<number> =>
  (request.values[option] ?? []).map((value) =>
    /^\d{1,15}$/.test(value)
      ? Number(value)
      : misused(command, `--${option} takes a whole number, not ${value}`),
  )

/** Shows where a command is, on a terminal only. */
export const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`)
}

/** Lays out rows as a table with aligned columns. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
