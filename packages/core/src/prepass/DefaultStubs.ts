/**
 * Rules for the tools that most agents have.
 *
 * @since 0.1.0
 */
import { RECALL_TOOL } from "../thread/MemoryTool.ts"
import { argument } from "./Asked.ts"
import { lastLine, lineCount, oneLine, shapeOf, sizeOf } from "./Facts.ts"
import { type StubInput, type StubRegistry, type StubRule, stubName, toolOf } from "./StubRule.ts"

const PATH = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "filename",
  "file",
  "target_file",
  "notebook_path",
]
const FOLDER = ["path", "dir_path", "directory", "dir", "target_directory", "folder", "cwd"]
const COMMAND = ["command", "cmd", "script", "code", "input"]
const PATTERN = ["pattern", "query", "q", "regex", "search_term", "glob", "glob_pattern"]
const ADDRESS = ["url", "uri", "urls", "address", "endpoint"]

const join = (...pieces: ReadonlyArray<string>): string => pieces.filter((piece) => piece !== "").join(" ")

/** An argument with a word before it; empty when it is not there. */
const labelled = (input: StubInput, label: string, names: ReadonlyArray<string>, units?: number): string => {
  const value = argument(input.call, names, units)
  return value === "" ? "" : `${label} ${value}`
}

/** A rule that needs an argument to say more than the general one. */
const asking =
  (names: ReadonlyArray<string>, say: (input: StubInput, asked: string) => string): StubRule =>
  (input) => {
    const asked = argument(input.call, names)
    return asked === "" ? null : say(input, asked)
  }

const read = asking(PATH, (input, path) => {
  const from = labelled(input, "from", ["offset", "start_line", "line"], 12)
  const most = labelled(input, "limit", ["limit", "end_line"], 12)
  return `${join(oneLine(toolOf(input), 40), path, from, most)}: ${sizeOf(input.text)}`
})

const write = asking(PATH, (input, path) => {
  const answer = oneLine(input.text, 80)
  return `${join(oneLine(toolOf(input), 40), path)}: ${answer}`
})

const shell = asking(COMMAND, (input, command) => {
  const last = oneLine(lastLine(input.text), 70)
  const end = last === "" || shapeOf(input.text) !== "" ? "" : `, ends "${last}"`
  return `${oneLine(toolOf(input), 40)} \`${command}\`: ${sizeOf(input.text)}${end}`
})

/** How many lines a search or a listing gave, or the shape of its JSON. */
const found = (text: string): string => {
  const shape = shapeOf(text)
  return shape === "" ? `${lineCount(text.trim())} lines, ${text.length} characters` : shape
}

const search = asking(PATTERN, (input, pattern) => {
  const where = labelled(input, "in", FOLDER, 60)
  return `${join(oneLine(toolOf(input), 40), `"${pattern}"`, where)}: ${found(input.text)}`
})

const list: StubRule = asking(FOLDER, (input, folder) => {
  return `${join(oneLine(toolOf(input), 40), folder)}: ${found(input.text)}`
})

const fetched = asking(ADDRESS, (input, url) => {
  const method = argument(input.call, ["method"], 10)
  const shape = shapeOf(input.text)
  const what = shape === "" ? "" : `, ${shape}`
  return `${join(oneLine(toolOf(input), 40), method, url)}: ${sizeOf(input.text)}${what}`
})

/** What a user answered is the user's own word: it stays, as far as it fits. */
const asked: StubRule = (input) =>
  `${join(oneLine(toolOf(input), 40), labelled(input, "about", ["question", "questions", "prompt"], 60))}: answered "${oneLine(input.text, 120)}"`

/** What was recalled: ids, or the words that were searched for. Arguments that are not used are empty. */
const recalled: StubRule = (input) => {
  const ids = argument(input.call, ["ids", "id"])
  const query = argument(input.call, ["query"])
  const what = ids === "" || ids === "[]" ? `"${query}"` : ids
  const page = argument(input.call, ["page"], 20)
  if (what === '""') return null
  return `${join(RECALL_TOOL, what, page === "" ? "" : `page ${page}`)}: ${sizeOf(input.text)}`
}

const FAMILIES: ReadonlyArray<readonly [StubRule, ReadonlyArray<string>]> = [
  [read, ["Read", "read_file", "view", "view_file", "cat", "open_file", "get_file_contents", "fs_read"]],
  [
    write,
    ["Write", "write_file", "create_file", "Edit", "edit_file", "MultiEdit", "str_replace", "replace"].concat(
      [
        "str_replace_editor",
        "str_replace_based_edit_tool",
        "NotebookEdit",
        "insert",
        "delete_file",
        "save_file",
      ],
    ),
  ],
  [
    shell,
    ["Bash", "shell", "exec", "exec_command", "execute_command", "run_command", "local_shell", "terminal"],
  ],
  [shell, ["run_shell_command", "run_terminal_cmd", "code_execution", "execute_code", "python"]],
  [
    search,
    ["Grep", "Glob", "search", "search_files", "grep_search", "file_search", "codebase_search", "find"],
  ],
  [
    search,
    ["search_file_content", "WebSearch", "web_search", "google_web_search", "search_file", "search_dir"],
  ],
  [list, ["LS", "list", "list_files", "list_dir", "list_directory", "read_folder", "tree"]],
  [
    fetched,
    ["WebFetch", "web_fetch", "fetch", "fetch_url", "http", "http_request", "http_get", "curl", "request"],
  ],
  [fetched, ["browser_navigate", "navigate", "goto", "open_url", "visit", "scrape"]],
  [recalled, [RECALL_TOOL]],
  [asked, ["AskUserQuestion", "ask_user", "ask_followup_question", "clarify", "request_user_input"]],
]

/**
 * Holds the rules for reading, writing, running, searching, listing, fetching and asking, under the names that known
 * agents give these tools. Extend it with your own: `new Map([...defaultStubs, ["deploy", rule]])`.
 *
 * **Example** (A command)
 *
 * ```ts
 * import { defaultStubs, stub } from "@palimpsest/core"
 *
 * stub(
 *   {
 *     row: "m7",
 *     call: { type: "tool-call", id: "c2", name: "Bash", arguments: '{"command":"npm test"}' },
 *     result: { type: "tool-result", call: "c2", status: "ok", content: [] },
 *     text: "Exit code: 0\n...\n12 passed, 0 failed\n".padStart(200, "."),
 *   },
 *   defaultStubs,
 * ).includes("ends \"12 passed, 0 failed\"; ok, exit 0") // => true
 * ```
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultStubs: StubRegistry = new Map(
  FAMILIES.flatMap(([rule, names]) => names.map((name) => [stubName(name), rule] as const)),
)
