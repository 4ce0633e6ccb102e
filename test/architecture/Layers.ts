/**
 * The layers of the core, lowest first: a file may use what stands before its own layer. The longest name that fits
 * a file's path decides.
 */
export const LAYERS = [
  "text",
  // Ids and canonical JSON, which counting needs before there are windows.
  "thread/Id.ts",
  "count",
  "thread",
  "summary",
  "prepass",
  "decide",
  "prompt",
  "recall",
  "formats",
  "o200k.ts",
  "index.ts",
  "engine",
  "promise",
  "testing",
  "memory.ts",
] as const

const IMPURE = ["engine", "promise", "testing", "memory.ts"]

const CORE = "packages/core/src/"

const isIn = (path: string, layer: string): boolean =>
  path === `${CORE}${layer}` || path.startsWith(`${CORE}${layer}/`) || path === `${CORE}${layer}.ts`

/** Number of the layer of a file; -1 when it has none. */
export const layerOf = (path: string): number => {
  const fitting = LAYERS.filter((layer) => isIn(path, layer))
  const longest = fitting.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? -1 : LAYERS.indexOf(longest)
}

/** Whether a file belongs to the pure core. */
export const isPure = (path: string): boolean =>
  path.startsWith(CORE) && !IMPURE.some((layer) => isIn(path, layer))
