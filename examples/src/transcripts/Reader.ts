/** What reads one format. */
import { Result } from "effect"
import type { Source } from "./Source.ts"
import { type Format, type Transcript, TranscriptError } from "./Transcript.ts"

export type Reading = Result.Result<ReadonlyArray<Transcript>, TranscriptError>

export interface Reader {
  readonly format: Format
  /** Whether a file has the shape of this format. Another format that fits too is asked earlier or later. */
  readonly fits: (source: Source) => boolean
  readonly read: (source: Source) => Reading
}

/** A file that looks like a format and is not what the format says. */
export const malformed = (name: string, what: string, why: string, remedy: string): TranscriptError =>
  new TranscriptError({
    name,
    kind: "malformed",
    reason: `it looks like ${what}, but ${why.replaceAll("\n", " ")}`,
    remedy,
  })

/** Refuses a file whose last line is missing, where a chat would lose its end. */
export const whole = (source: Source): Result.Result<Source, TranscriptError> =>
  source.cut === null
    ? Result.succeed(source)
    : Result.fail(
        new TranscriptError({
          name: source.name,
          kind: "no-json",
          reason: source.cut,
          remedy: "Copy the file again, as a whole.",
        }),
      )

/** What is said of a log that ends in the middle of a line. */
export const cutNote = ({ cut }: Source): ReadonlyArray<string> =>
  cut === null ? [] : [`${cut}: the last line is left out`]

/** Counts things by kind, and says so in the order in which they came. */
export const counted = (kinds: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, n]) => `${n} ${kind}`).join(", ")
}
