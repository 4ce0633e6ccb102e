/** Finds the loops of a graph: each as the nodes on it, the first one repeated at the end. */
export const cyclesOf = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const done = new Set<string>()
  const found: Array<string> = []
  const visit = (node: string, path: ReadonlyArray<string>): void => {
    const at = path.indexOf(node)
    if (at !== -1) found.push([...path.slice(at), node].join(" -> "))
    if (at !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
