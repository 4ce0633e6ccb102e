/**
 * Numbers of the Messages API: how much a request may hold.
 *
 * @since 0.1.0
 */

/**
 * What the rules need to know of the model.
 *
 * @category models
 * @since 0.1.0
 */
export interface AnthropicOptions {
  /** Tokens of the model's window: 200,000 when it is not said. Models with a larger one take more images. */
  readonly window?: number
}

/** Limits of a request; those of the vendor's documentation but for the size of one image. */
export interface Limits {
  readonly messages: number
  readonly breakpoints: number
  readonly images: number
  /** Pixels of a side. */
  readonly side: number
  /** Images from which on the lower limit of a side holds. */
  readonly many: number
  readonly sideOfMany: number
  /** Letters of the base64 of one image: about 10 MB, as other frameworks report. */
  readonly imageSize: number
  /** Bytes of the whole request. */
  readonly requestSize: number
}

const MEGABYTE = 1024 * 1024

/** The window up to which 100 images are taken, and not 600. */
const SMALL_WINDOW = 200_000

/** The limits for a model. */
export const limitsFor = ({ window = SMALL_WINDOW }: AnthropicOptions): Limits => ({
  messages: 100_000,
  breakpoints: 4,
  images: window > SMALL_WINDOW ? 600 : 100,
  side: 8_000,
  many: 20,
  sideOfMany: 2_000,
  imageSize: 10 * MEGABYTE,
  requestSize: 32 * MEGABYTE,
})
