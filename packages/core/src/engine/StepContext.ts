/**
 * What the parts of a step share.
 *
 * @since 0.1.0
 */
import type { Ref } from "effect"
import type { Settings } from "../decide/Settings.ts"
import type { OutboundFilter } from "../prompt/OutboundText.ts"
import type { ThreadKey } from "../thread/Row.ts"
import type { BlobStore } from "./BlobStore.ts"
import type { Facts } from "./Facts.ts"
import type { LeaseHolder } from "./Leased.ts"
import type { LongTermMemory } from "./Memory.ts"
import type { MemoryIndex } from "./MemoryIndex.ts"
import type { FlushPatience } from "./Options.ts"
import type { StepState } from "./StepState.ts"
import type { Summariser } from "./Summariser.ts"
import type { ThreadEditor } from "./ThreadEditor.ts"
import type { ThreadStore } from "./ThreadStore.ts"
import type { WatchedCounter } from "./WatchCounter.ts"
import type { WatchedRedactor } from "./WatchRedactor.ts"

/**
 * The context of a step: its thread, its services, its settings, its state.
 *
 * @category models
 * @since 0.1.0
 */
export interface StepContext {
  readonly key: ThreadKey
  readonly store: (typeof ThreadStore)["Service"]
  readonly summariser: (typeof Summariser)["Service"]
  readonly facts: (typeof Facts)["Service"] | null
  readonly flushPatience: Required<FlushPatience>
  readonly memory: (typeof LongTermMemory)["Service"] | null
  /** What the recall tool searches past chats with; null where there is none. */
  readonly index: (typeof MemoryIndex)["Service"] | null
  readonly settings: Settings
  /** Name of the model that is asked; null when the host does not say. */
  readonly model: string | null
  /** Leases of paid work, and the name under which this process takes them; null where there are none. */
  readonly leases: LeaseHolder | null
  /** Where large values live; null where they stay in their rows. */
  readonly blobs: (typeof BlobStore)["Service"] | null
  readonly editor: (typeof ThreadEditor)["Service"] | null
  /** What each text passes before it leaves; null when the host has no such filter. */
  readonly outbound: OutboundFilter | null
  readonly watched: WatchedCounter
  readonly redactor: WatchedRedactor
  readonly state: Ref.Ref<StepState>
}
