/**
 * Images of a request: AN20. Those inside results and of earlier turns count too.
 *
 * @since 0.1.0
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { imageSize } from "../format/ImageSize.ts"
import { mediaPlaceholder } from "../format/Media.ts"
import type { Fault, Finder } from "./Fault.ts"
import { textBlock } from "./Kinds.ts"
import type { Limits } from "./Limits.ts"
import type { View } from "./Turns.ts"
import type { AnthropicBlock, AnthropicRequest } from "./Wire.ts"

/** An image or a document, and what its data tells. */
interface Medium {
  readonly path: string
  readonly block: AnthropicBlock
  readonly isImage: boolean
  /** The longer side in pixels; 0 where it is not known. */
  readonly side: number
  /** Letters of its base64. */
  readonly weight: number
}

const dataOf = ({ source }: AnthropicBlock): string =>
  isFields(source) && source.type === "base64" && typeof source.data === "string" ? source.data : ""

const mediaOf = ({ blocks }: View): ReadonlyArray<Medium> =>
  blocks
    .filter(({ block }) => block.type === "image" || block.type === "document")
    .map(({ path, block }) => {
      const data = dataOf(block)
      const isImage = block.type === "image"
      const size = isImage ? imageSize(data) : null
      return {
        path,
        block,
        isImage,
        side: size === null ? 0 : Math.max(size.width, size.height),
        weight: data.length,
      }
    })

const faultOf = ({ path, block }: Medium, detail: string): Fault => {
  const source = isFields(block.source) ? block.source : {}
  const mediaType = typeof source.media_type === "string" ? source.media_type : block.type
  const marked = "cache_control" in block ? { cache_control: block.cache_control } : {}
  const text = mediaPlaceholder({ type: "media", mediaType, data: "" }, detail)
  return { rule: "AN20", path, detail, instead: [{ ...textBlock(text), ...marked }] }
}

/** Each image by itself: its sides and its weight. */
const tooBig = (media: ReadonlyArray<Medium>, limits: Limits): ReadonlyArray<Fault> =>
  media
    .filter(({ isImage }) => isImage)
    .flatMap((one) => {
      if (one.side > limits.side) return [faultOf(one, `a side of more than ${limits.side} pixels`)]
      return one.weight > limits.imageSize ? [faultOf(one, `more than ${limits.imageSize} bytes`)] : []
    })

/** The oldest images, when there are more than a request may hold. */
const tooMany = (images: ReadonlyArray<Medium>, limits: Limits): ReadonlyArray<Fault> =>
  images
    .slice(0, Math.max(0, images.length - limits.images))
    .map((one) => faultOf(one, `more than ${limits.images} images`))

/** Among many images the large ones; or the oldest ones, when fewer have to go so that they are not many. */
const tooLarge = (images: ReadonlyArray<Medium>, limits: Limits): ReadonlyArray<Fault> => {
  const large = images.length > limits.many ? images.filter(({ side }) => side > limits.sideOfMany) : []
  const oldest = images.slice(0, images.length - limits.many)
  const fewer = large.length === 0 || large.length < oldest.length ? large : oldest
  const detail = `a side of more than ${limits.sideOfMany} pixels among more than ${limits.many} images`
  return fewer.map((one) => faultOf(one, detail))
}

/** How many bytes of UTF-8 a text has above a limit; its length alone may tell that there are none. */
const excess = (text: string, limit: number): number =>
  text.length * 3 <= limit ? 0 : Math.max(0, utf8ToBytes(text).length - limit)

/** What a placeholder weighs at most, with its name and its place. */
const PLACEHOLDER = 400

/** The oldest media, when a request with data is too heavy. One that is heavy by its texts is a matter of the budget. */
const tooHeavy = (
  request: AnthropicRequest,
  media: ReadonlyArray<Medium>,
  limits: Limits,
): ReadonlyArray<Fault> => {
  const heavy = media.filter(({ weight }) => weight > 0)
  let over = heavy.length === 0 ? 0 : excess(writeExact(request) ?? "", limits.requestSize)
  const faults: Array<Fault> = []
  for (const one of heavy) {
    if (over <= 0) break
    faults.push(faultOf(one, `a request of more than ${limits.requestSize} bytes`))
    over -= Math.max(1, one.weight - PLACEHOLDER)
  }
  return faults
}

/** AN20: images within the limits. One kind of fault at a time, since each changes the others. */
export const images =
  (limits: Limits): Finder =>
  (view) => {
    const media = mediaOf(view)
    if (media.length === 0) return []
    const shown = media.filter(({ isImage }) => isImage)
    const stages = [
      () => tooBig(media, limits),
      () => tooMany(shown, limits),
      () => tooLarge(shown, limits),
      () => tooHeavy(view.request, media, limits),
    ]
    for (const stage of stages) {
      const faults = stage()
      if (faults.length > 0) return faults
    }
    return []
  }
