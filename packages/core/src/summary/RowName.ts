/**
 * How a row is named in texts.
 *
 * @since 0.1.0
 */

/** A row id as it stands in a line: as it is, or as JSON text when it could be taken for something else. */
export const rowName = (id: string): string => (/^[\w.:@/+=-]+$/.test(id) ? id : JSON.stringify(id))
