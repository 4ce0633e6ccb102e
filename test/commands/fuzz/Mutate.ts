/** Mutations of JSON values that know the structure: keys, elements, types, depth, size. Values are never changed in place. */
import { writeExact } from "@palimpsest/core/formats"
import { NASTY, nastyString } from "./Nasty.ts"
import type { Rng } from "./Rng.ts"

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object of entries, also of those called `__proto__`. */
const object = (entries: ReadonlyArray<readonly [string, unknown]>): Fields => Object.fromEntries(entries)

/** A mutation: what becomes of a value. `others` are values to take pieces of. */
type Mutation = (value: unknown, rng: Rng, others: ReadonlyArray<unknown>) => unknown

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "toJSON",
  "then",
  "length",
  "type",
  "role",
  "id",
] as const

const without = (list: ReadonlyArray<unknown>, at: number): ReadonlyArray<unknown> => list.toSpliced(at, 1)

const drop: Mutation = (value, rng) => {
  if (Array.isArray(value)) return without(value, rng.int(value.length))
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  return object(entries.toSpliced(rng.int(entries.length), 1))
}

const duplicate: Mutation = (value, rng) => {
  if (Array.isArray(value)) {
    const at = rng.int(value.length)
    return value.length === 0 ? value : value.toSpliced(rng.int(value.length), 0, value[at])
  }
  if (!isFields(value)) return value
  const found = rng.some(Object.entries(value))
  return found === undefined ? value : object([...Object.entries(value), [rng.pick(KEYS), found[1]]])
}

const swap: Mutation = (value, rng) => {
  if (Array.isArray(value) && value.length > 1) {
    const [a, b] = [rng.int(value.length), rng.int(value.length)]
    return value.with(a, value[b]).with(b, value[a])
  }
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  const [one, two] = [rng.some(entries), rng.some(entries)]
  if (one === undefined || two === undefined) return value
  return { ...value, [one[0]]: two[1], [two[0]]: one[1] }
}

const rename: Mutation = (value, rng) => {
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  const at = rng.int(entries.length)
  const name = rng.chance(0.5) ? rng.pick(KEYS) : nastyString(rng)
  return object(entries.map(([key, each], i) => [i === at ? name : key, each] as const))
}

const insert: Mutation = (value, rng, others) => {
  const other = rng.some(others)
  if (Array.isArray(value)) return value.toSpliced(rng.int(value.length + 1), 0, other)
  return isFields(value) ? object([...Object.entries(value), [rng.pick(KEYS), other]]) : other
}

/** How much a list or a text may grow, in elements and in units. */
const MOST = { elements: 4000, units: 400_000 } as const

const grow: Mutation = (value, rng) => {
  if (typeof value === "string")
    return value.repeat(Math.ceil((1 + rng.int(MOST.units)) / (value.length + 1)))
  if (!Array.isArray(value) || value.length === 0) return value
  const at = rng.int(value.length)
  const size = writeExact(value[at])?.length ?? 1000
  const most = Math.min(MOST.elements, Math.ceil(MOST.units / (size + 1)))
  const times = 1 + rng.int(rng.chance(0.2) ? most : Math.min(most, 8))
  return value.toSpliced(at, 0, ...Array.from({ length: times }, () => value[at]))
}

const DEPTHS = [1, 3, 100, 490, 495, 498, 499, 500, 501, 502, 505, 600, 5000] as const

const nest: Mutation = (value, rng) => {
  const isList = rng.chance(0.5)
  let nested = value
  for (let depth = rng.pick(DEPTHS); depth > 0; depth--) nested = isList ? [nested] : { a: nested }
  return nested
}

const retype: Mutation = (value, rng) => {
  if (typeof value === "string")
    return rng.pick<unknown>([
      [value],
      { type: "text", text: value },
      Number(value),
      { [value]: value },
      value.trim(),
    ])
  if (Array.isArray(value))
    return rng.pick<unknown>([{ ...value }, value[0], writeExact(value) ?? "", [value]])
  if (isFields(value))
    return rng.pick<unknown>([[value], Object.values(value), writeExact(value) ?? "", Object.entries(value)])
  return rng.pick<unknown>([String(value), [value], !value])
}

const nasty: Mutation = (_, rng) => (rng.chance(0.5) ? nastyString(rng) : rng.pick(NASTY))

const MUTATIONS: readonly [Mutation, ...ReadonlyArray<Mutation>] = [
  drop,
  drop,
  duplicate,
  swap,
  rename,
  insert,
  grow,
  nest,
  retype,
  retype,
  nasty,
  nasty,
]

/** A value under the same key somewhere else: ids, roles and types that meet. */
const sameKeyIn = (value: unknown, key: string, rng: Rng, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || depth > 8) return undefined
  if (isFields(value) && key in value && rng.chance(0.5)) return value[key]
  const child = rng.some(Object.values(value))
  return sameKeyIn(child, key, rng, depth + 1)
}

/** Mutates a value somewhere inside: it goes down by chance, and everything beside its way stays. */
const inside = (value: unknown, rng: Rng, root: unknown, others: ReadonlyArray<unknown>): unknown => {
  const isLeaf = typeof value !== "object" || value === null || Object.keys(value).length === 0
  if (isLeaf || rng.chance(0.15)) return rng.pick(MUTATIONS)(value, rng, others)
  if (Array.isArray(value)) {
    const at = rng.int(value.length)
    return value.with(at, inside(value[at], rng, root, others))
  }
  const [key, child] = rng.some(Object.entries(value)) ?? ["", undefined]
  const taken = rng.chance(0.1) ? sameKeyIn(root, key, rng) : undefined
  const changed = taken ?? inside(child, rng, root, others)
  return object(Object.entries(value).map(([name, each]) => [name, name === key ? changed : each] as const))
}

/** Mutates a value once or a few times. */
export const mutate = (value: unknown, rng: Rng, others: ReadonlyArray<unknown>): unknown => {
  let mutated = value
  for (let times = 1 + rng.int(4); times > 0; times--) mutated = inside(mutated, rng, mutated, others)
  return mutated
}
