/**
 * Addresses of rows, as a model reads and writes them: the id alone for a row of its chat, with the chat for others.
 *
 * @since 0.1.0
 */

/**
 * Where a row is: in another chat of the tenant, or in the chat itself where `chat` is null.
 *
 * @category models
 * @since 0.1.0
 */
export interface RowAddress {
  readonly chat: string | null
  readonly row: string
}

const CHAT = "chat:"
const ROW = "row:"

const escapeChat = (chat: string): string => chat.replace(/%/g, "%25").replace(/\//g, "%2F")

const unescapeChat = (text: string): string =>
  text.replace(/%(2F|25)/g, (_, code) => (code === "25" ? "%" : "/"))

/**
 * Writes the address of a row. An id that reads as the address of something else gets a prefix.
 *
 * **Example** (A row of the chat, one of another, and an odd id)
 *
 * ```ts
 * import { rowAddress } from "@palimpsest/core"
 *
 * rowAddress("m12") // => "m12"
 * rowAddress("m12", "sales/7") // => "chat:sales%2F7/m12"
 * rowAddress("chat:7/m12") // => "row:chat:7/m12"
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const rowAddress = (row: string, chat: string | null = null): string => {
  if (chat !== null) return `${CHAT}${escapeChat(chat)}/${row}`
  return row.startsWith(CHAT) || row.startsWith(ROW) ? `${ROW}${row}` : row
}

/**
 * Reads an address; any text is one. What is no address of another chat is the id of a row.
 *
 * @category encoding
 * @since 0.1.0
 */
export const readAddress = (text: string): RowAddress => {
  if (text.startsWith(ROW)) return { chat: null, row: text.slice(ROW.length) }
  const slash = text.startsWith(CHAT) ? text.indexOf("/") : -1
  if (slash < 0) return { chat: null, row: text }
  return { chat: unescapeChat(text.slice(CHAT.length, slash)), row: text.slice(slash + 1) }
}
