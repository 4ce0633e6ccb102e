import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const nameIn = (folder: string): unknown => {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name?: unknown }).name
  } catch {
    return null
  }
}

const rootFrom = (folder: string): string =>
  nameIn(folder) === "palimpsest" || dirname(folder) === folder ? folder : rootFrom(dirname(folder))

/** The folder of the whole project, from its sources and from its build alike. */
export const projectRoot = rootFrom(import.meta.dirname)
