import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { MAP, sourceMap } from "../architecture/SourceMap.ts"
import { type Command, requestOf } from "./Command.ts"
import { projectRoot } from "./Root.ts"

const command: Command = {
  name: "source-map",
  summary: `Writes ${MAP} from the first sentences of the sources.`,
  options: {},
  exits: "Ends with 2 on a mistake in the options.",
}

const { json } = requestOf(command)
const page = sourceMap()
writeFileSync(join(projectRoot, MAP), page)
const files = page.split("\n").filter((line) => line.startsWith("- ")).length
console.log(`${MAP}: ${files} files`)
if (json) console.log(JSON.stringify({ command: "source-map", path: MAP, files }))
