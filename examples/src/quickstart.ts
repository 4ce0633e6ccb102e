/**
 * `npm run quickstart`: the short-term memory of an agent at work, on an embedded Postgres, with no server and no key.
 *
 * One process plays a long chat until it is killed. Another one takes it up from the store and ends it.
 */
import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { explain, type Row } from "@palimpsest/core"
import { story } from "./quickstart/Story.ts"
import { type News, WINDOW, work } from "./quickstart/Worker.ts"
import { promptBar } from "./replay/PromptBar.ts"
import { threadView } from "./replay/ThreadView.ts"

const HELP = `quickstart: a long agent chat that is compacted, killed, rehydrated and goes on

Usage: npm run quickstart [-- --json] [-- --keep]

  --json   print one JSON object last, and no drawing
  --keep   keep the data folder, and say where it is
  --help   print this
`

/** The first worker is killed once it has made so many model calls. */
const KILL_AFTER = 20

const look = { width: Math.min(process.stdout.columns ?? 90, 110), color: process.stdout.isTTY === true }

/** Runs a worker process until it ends, or until `until` says to kill it. */
const runWorker = (folder: string, hear: (news: News) => boolean): Promise<"ended" | "killed"> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), ["--worker", folder])
    let killed = false
    child.on("message", (news: News) => {
      if (killed || hear(news)) return
      killed = true
      child.kill("SIGKILL")
    })
    child.on("error", reject)
    child.on("exit", (code) => {
      if (killed) resolve("killed")
      else if (code === 0) resolve("ended")
      else reject(new Error(`the worker ended with code ${code}`))
    })
  })

interface Story {
  calls: number
  passes: number
  maxTokens: number
  rows: ReadonlyArray<Row>
  violations: ReadonlyArray<string>
  last: Extract<News, { _tag: "Called" }> | null
  rowsRead: number
}

const say = (text: string, json: boolean): void => {
  if (!json) console.log(text)
}

const hearer = (told: Story, json: boolean, killAfter: number) => (news: News) => {
  if (news._tag === "Opened") {
    const rest = story.length - news.stored
    say(`  opened the store: ${news.stored} messages are in the thread, ${rest} are to come`, json)
  } else if (news._tag === "Ended") {
    told.rows = news.rows
    told.violations = news.violations
  } else {
    told.calls += 1
    told.last = news
    told.maxTokens = Math.max(told.maxTokens, news.prompt.tokens.total)
    told.rowsRead = Math.max(told.rowsRead, news.rowsRead)
    told.passes += news.prompt.passes.length
    for (const decision of news.prompt.decisions)
      if (decision._tag !== "Keep") say(`  call ${told.calls}: ${explain(decision)}`, json)
  }
  return told.calls < killAfter
}

const partsOf = ({
  system,
  head,
  summary,
  carried,
  tail,
  recall,
}: NonNullable<Story["last"]>["prompt"]["tokens"]) =>
  Object.entries({ system, head, summary, carried, tail, recall })
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => ({ name, tokens }))

const showEnd = (told: Story): void => {
  const summary = told.rows.findLast((row) => row.kind === "summary")
  console.log(
    "\n3. The thread, as a person scrolls it. Nothing was deleted: a line shows where the window is cut.\n",
  )
  console.log(threadView(told.rows, { ...look, covered: 4, live: 12 }))
  if (summary?.kind === "summary") {
    console.log("\n4. What the model sees in place of everything above the last line:\n")
    console.log(summary.text)
  }
  if (told.last !== null) {
    console.log("\n5. The last prompt, part by part:\n")
    console.log(promptBar(partsOf(told.last.prompt.tokens), told.last.limit, look))
  }
  console.log(
    `\n${told.calls} model calls, ${told.passes} passes, the largest prompt ${told.maxTokens} tokens, at most ${told.rowsRead} rows read per step; broken laws: ${told.violations.length}.`,
  )
  console.log("\nNext: npm run -s replay -- FILE plays your own chat. See README.md.")
}

const main = async (json: boolean, keep: boolean): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-"))
  const data = join(folder, "db")
  const told: Story = { calls: 0, passes: 0, maxTokens: 0, rows: [], violations: [], last: null, rowsRead: 0 }
  try {
    say(`A coding agent, ${story.length} messages long, in a window of ${WINDOW} tokens.\n`, json)
    say(
      "1. A process plays it. Its store is an embedded Postgres in a folder (a few seconds to start).",
      json,
    )
    await runWorker(data, hearer(told, json, KILL_AFTER))
    say(`\n   ✗ killed (SIGKILL) after ${told.calls} model calls. All that it had in memory is gone.`, json)
    say("\n2. Another process opens the same folder, rehydrates the window, and goes on.", json)
    await runWorker(data, hearer(told, json, Number.POSITIVE_INFINITY))
    if (json) {
      const { calls, passes, maxTokens, rowsRead, violations } = told
      const messages = told.rows.filter((row) => row.kind === "message").length
      console.log(JSON.stringify({ messages, calls, passes, maxTokens, rowsRead, violations }))
    } else showEnd(told)
    const whole = told.rows.filter((row) => row.kind === "message").length === story.length
    return whole && told.violations.length === 0 ? 0 : 1
  } finally {
    if (keep) console.error(`the data is in ${data}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

/** The options, or null when there are others. */
const readOptions = () => {
  try {
    return parseArgs({
      options: { json: { type: "boolean" }, keep: { type: "boolean" }, help: { type: "boolean" } },
    }).values
  } catch {
    return null
  }
}

const [, , mode, folder] = process.argv
if (mode === "--worker" && folder !== undefined) {
  await work(folder, (news) => void process.send?.(news))
  process.disconnect?.()
} else {
  const values = readOptions()
  if (values === null) {
    console.error("quickstart takes --json, --keep and --help, and nothing else.")
    process.exitCode = 2
  } else if (values.help === true) console.log(HELP)
  else process.exitCode = await main(values.json === true, values.keep === true)
}
