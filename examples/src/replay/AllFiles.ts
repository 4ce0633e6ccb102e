/** The files of a folder that may be transcripts. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { readTranscript } from "../transcripts/ReadTranscript.ts"
import { type Transcript, TranscriptError } from "../transcripts/Transcript.ts"

/** Texts about the files. */
const BESIDE = /(^|\/)(LICEN[CS]ES?|README|SOURCES|NOTICE)(\.[^/]*)?(\/|$)|\.md$/i

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

const reasonOf = (code: string, what: string): string => {
  if (code === "ENOENT") return `there is no such ${what}`
  if (code === "EISDIR") return "it is a folder"
  return code === "ENOTDIR" ? "it is no folder" : `it cannot be read (${code})`
}

const unreadable = (path: string, code: string, what: "file" | "folder"): TranscriptError =>
  new TranscriptError({
    name: path,
    kind: "unreadable",
    reason: reasonOf(code, what),
    remedy:
      code === "EISDIR"
        ? "Use --all FOLDER."
        : what === "folder"
          ? "Name a folder that exists."
          : "Name a transcript that exists.",
  })

/** The text of a file. */
export const readText = (path: string): Result.Result<string, TranscriptError> => {
  try {
    return Result.succeed(readFileSync(path, "utf8"))
  } catch (error) {
    return Result.fail(unreadable(path, codeOf(error), "file"))
  }
}

/** Every file below a folder, but for what describes them, by name. */
export const filesBelow = (folder: string): Result.Result<ReadonlyArray<string>, TranscriptError> => {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    return Result.succeed(
      names
        .map((name) => name.replaceAll("\\", "/"))
        .filter((name) => !BESIDE.test(name) && isFile(join(folder, name)))
        .toSorted(),
    )
  } catch (error) {
    return Result.fail(unreadable(folder, codeOf(error), "folder"))
  }
}

/** The chats of a file; `name` is what it is called. */
export const readPath = (
  path: string,
  name: string,
): Result.Result<ReadonlyArray<Transcript>, TranscriptError> =>
  Result.flatMap(readText(path), (text) => readTranscript(text, name))
