/**
 * Arguments of calls for formats that want an object.
 *
 * @since 0.1.0
 */
import { readExact, writeExact } from "./ExactJson.ts"
import { type Fields, isFields } from "./Fields.ts"

/** The only key of an object that stands for arguments that are none. */
const RAW = "$arguments"

/** Arguments as an object: what is no object goes into one, so that it can be taken out again. */
export const argumentsObject = (text: string): { readonly value: Fields; readonly isWrapped: boolean } => {
  const value = readExact(text)
  return isFields(value) && !(RAW in value)
    ? { value, isWrapped: false }
    : { value: { [RAW]: text }, isWrapped: true }
}

/** The text of arguments that came as a value. */
export const argumentsText = (value: unknown): string => {
  const keys = isFields(value) ? Object.keys(value) : []
  const raw = keys.length === 1 && isFields(value) ? value[RAW] : undefined
  return typeof raw === "string" ? raw : (writeExact(value) ?? "{}")
}
