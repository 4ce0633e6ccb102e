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
export const byId = <A>(nodes: ReadonlyArray<Node<A>>): ReadonlyMap<string, Node<A>> => {
  const found = new Map<string, Node<A>>()
  for (const node of nodes) if (!found.has(node.id)) found.set(node.id, node)
  return found
}

/** The newest of some nodes: by time, and by place in the file where times are equal or missing. */
export const newest = <A>(nodes: ReadonlyArray<Node<A>>): Node<A> | undefined => {
  const timed = nodes.every(({ time }) => time !== "")
  return nodes.reduce<Node<A> | undefined>(
    (best, node) => (best === undefined || !timed || node.time >= best.time ? node : best),
    undefined,
  )
}

/** The way from a root to a node. A ring in the file is walked once. */
export const branchTo = <A>(leaf: Node<A>, nodes: ReadonlyMap<string, Node<A>>): ReadonlyArray<Node<A>> => {
  const way: Array<Node<A>> = []
  const seen = new Set<string>()
  for (let node: Node<A> | undefined = leaf; node !== undefined && !seen.has(node.id); ) {
    seen.add(node.id)
    way.push(node)
    node = node.parent === null ? undefined : nodes.get(node.parent)
  }
  return way.reverse()
}
