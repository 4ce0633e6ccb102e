/**
 * Sizes on the wire.
 *
 * @since 0.1.0
 */

/**
 * Bytes of one message of the server: above the largest row that the store accepts, with its escapes.
 *
 * @category constants
 * @since 0.1.0
 */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
