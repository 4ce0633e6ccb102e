/**
 * What stands for a signature that is not there.
 *
 * @since 0.1.0
 */

/**
 * Generation 3 refuses a call of the current turn whose signature is lost, or that another model made. This text, of
 * the API's page on thought signatures, makes it skip that check.
 */
export const SENTINEL = "skip_thought_signature_validator"
