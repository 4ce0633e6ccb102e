import type { Law } from "@palimpsest/core/testing"

/** Folders of the mechanism that every format shares. */
const SHARED = new Set(["format", "target"])

const formatOf = (file: string): string | null => {
  const folder = file.match(/\/formats\/([^/]+)\//)?.[1]
  return folder === undefined || SHARED.has(folder) ? null : folder
}

const isOfFormat = ({ title }: Law): boolean => title.startsWith("Validity: ")

/**
 * Of the laws with one number, those that a change of a file must break: for a file of one format the laws that name
 * this format, and for a file outside the formats the laws that name none. All of them where that leaves nothing.
 */
export const lawsNear = (laws: ReadonlyArray<Law>, file: string): ReadonlyArray<Law> => {
  const format = formatOf(file)
  const near =
    format !== null
      ? laws.filter(({ title }) => title.includes(format))
      : laws.filter((law) => file !== "" && !file.includes("/formats/") && !isOfFormat(law))
  return near.length === 0 ? laws : near
}
