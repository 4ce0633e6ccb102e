/**
 * The port to where large values live: images, files and audio, out of the rows that name them.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { ThreadKey } from "../thread/Row.ts"
import type { StoreError } from "./Errors.ts"

/**
 * A large value of a thread, named by its content.
 *
 * @category models
 * @since 0.1.0
 */
export interface Blob {
  /** SHA-256 of the text, hexadecimal. */
  readonly id: string
  readonly text: string
}

/**
 * Keeps large values of threads. Each method is atomic, and safe to repeat.
 *
 * @category services
 * @since 0.1.0
 */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Keeps values; those that are there stay as they are. */
    readonly put: (key: ThreadKey, blobs: ReadonlyArray<Blob>) => Effect.Effect<void, StoreError>
    /** Reads values by their ids, those that are there. A fork reads those of the chats that it shares rows with. */
    readonly get: (
      key: ThreadKey,
      ids: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("@palimpsest/core/BlobStore") {}
