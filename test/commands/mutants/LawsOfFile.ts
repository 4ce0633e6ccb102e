import type { Law } from "@palimpsest/core/testing"

/**
 * What the titles of the laws say that a change of a file must break: the name of the format that the file belongs to;
 * an empty text for files outside the formats; null for the mechanism that formats share, which any of them may show.
 */
export const titleOfLawsOf = (file: string): string | null => {
  const folder = file.match(/\/formats\/([^/]+)\//)?.[1]
  if (folder === undefined) return ""
  if (folder === "target") return "every target"
  return folder === "format" ? null : folder
}

/** Of the laws that say something of formats, those that say it of each pair of them. */
const BETWEEN = "Validity: between formats"

const isOfFormat = ({ title }: Law): boolean => title.startsWith("Validity: ")

/** Of the laws with one number, those that a change of a file must break; all of them where that leaves none. */
export const lawsOfFile = (laws: ReadonlyArray<Law>, file: string): ReadonlyArray<Law> => {
  const wanted = titleOfLawsOf(file)
  const near =
    wanted === ""
      ? laws.filter((law) => !isOfFormat(law))
      : laws.filter(({ title }) => title.includes(wanted ?? "") || title.startsWith(BETWEEN))
  return near.length === 0 ? laws : near
}
