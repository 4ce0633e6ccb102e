/** What inputs are mutated from: recorded files where there are any, the chats of the examples, and samples. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { ExactNumber, readExact, writeExact } from "@palimpsest/core/formats"
import fc from "fast-check"
import { projectRoot } from "../Root.ts"
import { isFields } from "./Mutate.ts"
import type { Rng } from "./Rng.ts"
import type { Target } from "./Target.ts"

const FOLDERS = [join(projectRoot, "../shared/transcripts"), join(projectRoot, "examples/chats")]

/** A recorded file: its text, what it holds, and the lists that are in it. */
interface File {
  readonly text: string
  /** Undefined unless it is one value of JSON. */
  readonly value: unknown
  readonly lists: ReadonlyArray<ReadonlyArray<unknown>>
}

/** Where the seeds of an input come from. */
export interface Seeds {
  /** Number of recorded files. */
  readonly files: number
  /** A list that a target reads, or a piece of one. */
  readonly listFor: (target: Target, rng: Rng) => ReadonlyArray<unknown>
  /** The text of a file, or of a piece of one. */
  readonly text: (rng: Rng) => string
}

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(?:txt|md)$/.test(path.replace(/\.chunks\.txt$/, "")))

/** Values of a text: one of JSON, or one for each line of it, also of a stream of events. */
const valuesIn = (text: string): ReadonlyArray<unknown> => {
  const whole = readExact(text)
  if (whole !== undefined) return [whole]
  const values = text.split("\n").flatMap((line) => readExact(line.replace(/^data: /, "")) ?? [])
  return values.length === 0 ? [] : [values]
}

const DEEPEST = 12

/** Each list of objects in a value; and, of each field of its elements, the list of what stands there. */
const listsIn = (value: unknown, depth = 0): ReadonlyArray<ReadonlyArray<unknown>> => {
  if (depth > DEEPEST) return []
  if (typeof value === "string") return /^["[{]/.test(value) ? listsIn(readExact(value), depth + 1) : []
  if (typeof value !== "object" || value === null) return []
  const inside = Object.values(value).flatMap((each) => listsIn(each, depth + 1))
  const elements = Array.isArray(value) ? value.filter(isFields) : []
  if (elements.length === 0) return inside
  const keys = new Set(elements.flatMap((element) => Object.keys(element).slice(0, 40)))
  const columns = [...keys].map((key) =>
    elements.flatMap((element) => (isFields(element[key]) ? [element[key]] : [])),
  )
  return [elements, ...columns.filter((column) => column.length > 1), ...inside]
}

const read = (path: string): File => {
  const text = readFileSync(path, "utf8")
  return { text, value: readExact(text), lists: valuesIn(text).flatMap((value) => listsIn(value)) }
}

/** The keys of an element: lists whose first elements have the same are taken to be of the same formats. */
const shapeOf = (list: ReadonlyArray<unknown>): string =>
  JSON.stringify(Object.keys(list[0] ?? {}).toSorted())

/** Elements of a list at most: time goes into many inputs, not into big ones. */
const MOST = 40

const piece = <A>(list: ReadonlyArray<A>, rng: Rng): ReadonlyArray<A> => {
  const length = 1 + rng.int(rng.chance(0.9) ? 8 : MOST)
  const from = rng.int(Math.max(1, list.length - length + 1))
  return list.slice(from, from + length)
}

/** Units of a text at most. */
const MOST_TEXT = 60_000

/** A value whose lists have a number of elements at most. */
const trimmed = (value: unknown, most: number, rng: Rng): unknown => {
  if (Array.isArray(value)) {
    const from = rng.int(Math.max(1, value.length - most + 1))
    return value.slice(from, from + most).map((each) => trimmed(each, most, rng))
  }
  if (!isFields(value) || value instanceof ExactNumber) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each, most, rng)]))
}

/** A text of a file that is not too long: of one value with shorter lists, or of some lines, the first two among them. */
const excerpt = ({ text, value }: File, rng: Rng): string => {
  if (text.length <= MOST_TEXT) return text
  if (value !== undefined) {
    const texts = [8, 3, 1].map((most) => writeExact(trimmed(value, most, rng)) ?? "")
    return texts.find((each) => each.length <= MOST_TEXT) ?? text.slice(0, MOST_TEXT)
  }
  const lines = text.split("\n")
  const first = rng.chance(0.7) ? lines.slice(0, 2) : []
  return [...first, ...piece(lines, rng)].join("\n").slice(0, MOST_TEXT)
}

/** A list as the text of a file: bare, in a request, or a line for each element. */
const fileOf = (list: ReadonlyArray<unknown>, field: string, rng: Rng): string => {
  if (rng.chance(0.2)) return list.map((each) => writeExact(each) ?? "").join("\n")
  return writeExact(rng.chance(0.3) ? list : { model: "m-1", [field]: list }) ?? ""
}

type Lists = ReadonlyArray<ReadonlyArray<unknown>>

/** Lists of files that a target reads. */
const readableOf = (files: ReadonlyArray<File>, target: Target): Lists => {
  const shapes = new Map<string, boolean>()
  const isRead = (list: ReadonlyArray<unknown>): boolean => {
    const shape = shapeOf(list)
    const known = shapes.get(shape) ?? list.slice(0, 5).some(target.reads)
    shapes.set(shape, known)
    return known
  }
  return files.flatMap(({ lists }) => lists.filter(isRead))
}

/** Lists of a target, found when they are first asked for. */
const onDemand = (find: (target: Target) => Lists): ((target: Target) => Lists) => {
  const known = new Map<Target, Lists>()
  return (target) => {
    const lists = known.get(target) ?? find(target)
    known.set(target, lists)
    return lists
  }
}

/** Reads the files, and makes samples: the same for each seed. */
export const seedsOf = (targets: ReadonlyArray<Target>, seed: number, folders = FOLDERS): Seeds => {
  const paths = folders.flatMap((folder) => (existsSync(folder) ? filesUnder(folder).toSorted() : []))
  const files = paths.map(read)
  const samplesOf = onDemand(({ samples }) =>
    samples === undefined ? [] : fc.sample(samples, { numRuns: 150, seed }),
  )
  const recordedOf = onDemand((target) => readableOf(files, target))
  const listFor = (target: Target, rng: Rng): ReadonlyArray<unknown> => {
    const recorded = rng.chance(0.6) ? rng.some(recordedOf(target)) : undefined
    if (recorded === undefined) return rng.some(samplesOf(target)) ?? []
    return piece(recorded, rng).filter((element) => rng.chance(0.05) || target.reads(element))
  }
  const withSamples = targets.filter(({ samples }) => samples !== undefined)
  const text = (rng: Rng): string => {
    const file = rng.chance(0.8) ? rng.some(files) : undefined
    const target = rng.some(withSamples)
    if (file !== undefined || target === undefined) return file === undefined ? "" : excerpt(file, rng)
    return fileOf(rng.some(samplesOf(target)) ?? [], target.field ?? "messages", rng)
  }
  return { files: files.length, listFor, text }
}
