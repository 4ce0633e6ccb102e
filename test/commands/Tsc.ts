import { execFile } from "node:child_process"
import { join } from "node:path"
import { projectRoot } from "./Root.ts"

/** What the compiler says of the project in a folder. */
export const runTsc = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const tsc = join(projectRoot, "node_modules/typescript/bin/tsc")
    execFile(process.execPath, [tsc, "-p", folder, "--pretty", "false"], (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
