/** Sessions that are trees: who goes back and says something else begins a branch. */

/** An entry of a log that follows another one. */
export interface Node<A> {
  readonly id: string
  /** The one that it follows; null for the first one. */
  readonly parent: string | null
  /** When it was written, as text that sorts by time; empty where the file does not say. */
  readonly time: string
  readonly value: A
}

/** The nodes by their ids. A session that was resumed may repeat nodes: the first one stays. */
export const byId = <N extends Node<unknown>>(nodes: ReadonlyArray<N>): ReadonlyMap<string, N> => {
  const found = new Map<string, N>()
  for (const node of nodes) if (!found.has(node.id)) found.set(node.id, node)
  return found
}

/** The newest of some nodes: by time, and by place in the file where times are equal or missing. */
export const newest = <N extends Node<unknown>>(nodes: ReadonlyArray<N>): N | undefined => {
  const timed = nodes.every(({ time }) => time !== "")
  return nodes.reduce<N | undefined>(
    (best, node) => (best === undefined || !timed || node.time >= best.time ? node : best),
    undefined,
  )
}

/** The way from a root to a node. A ring in the file is walked once. */
export const branchTo = <N extends Node<unknown>>(
  leaf: N,
  nodes: ReadonlyMap<string, N>,
): ReadonlyArray<N> => {
  const way: Array<N> = []
  const seen = new Set<string>()
  for (let node: N | undefined = leaf; node !== undefined && !seen.has(node.id); ) {
    seen.add(node.id)
    way.push(node)
    node = node.parent === null ? undefined : nodes.get(node.parent)
  }
  return way.reverse()
}
