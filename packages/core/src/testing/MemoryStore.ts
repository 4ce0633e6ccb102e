/**
 * A thread store that lives in memory, for tests and examples.
 *
 * @since 0.1.0
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { BlobStore } from "../engine/BlobStore.ts"
import type { StoreError } from "../engine/Errors.ts"
import { removedOwner } from "../engine/FactFaults.ts"
import { FactStore } from "../engine/FactStore.ts"
import { Leases } from "../engine/Leases.ts"
import { OwnerData } from "../engine/OwnerData.ts"
import { checkKey, removed } from "../engine/RowFaults.ts"
import { ThreadEditor } from "../engine/ThreadEditor.ts"
import { ThreadStore } from "../engine/ThreadStore.ts"
import type { ThreadKey } from "../thread/Row.ts"
import { factsOver } from "./MemoryFacts.ts"
import { ownersOf } from "./MemoryOwners.ts"
import { chatIn, emptyTenant, type MemoryChat, type MemoryTenant, type View, viewOf } from "./memory/Chat.ts"
import { edit, fork, remove, rewind, versions, withdraw } from "./memory/Edit.ts"
import { emptyShelf } from "./memory/Facts.ts"
import { load, page, readRow } from "./memory/Read.ts"
import { append, putFailure, putMark } from "./memory/Write.ts"

export type { MemoryChat } from "./memory/Chat.ts"

/**
 * The ports that one place for threads answers.
 *
 * @category models
 * @since 0.1.0
 */
export type StorePorts = ThreadStore | ThreadEditor | Leases | BlobStore | FactStore | OwnerData

/**
 * Chats in memory, which several layers may share as several workers share a database.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryState {
  readonly layer: Layer.Layer<StorePorts>
  /** The rows of a chat, made when it is asked for first. */
  readonly chat: (key: ThreadKey) => MemoryChat
}

/** How the operations of a store reach the chats: the key is checked first, and what was removed stays so. */
const makeWithin = (tenantOf: (name: string) => MemoryTenant) => {
  const within = <A, E>(
    operation: string,
    key: ThreadKey,
    run: (view: View, tenant: MemoryTenant) => Result.Result<A, E>,
    names?: ReadonlyArray<string>,
  ): Effect.Effect<A, E | StoreError> =>
    Effect.suspend(() => {
      const checked = Result.flatMap(
        checkKey(operation, key, names),
        (ok): Result.Result<A, E | StoreError> => {
          const tenant = tenantOf(ok.tenant)
          const view = viewOf(tenant, ok)
          return tenant.isRemoved || view.chat.isRemoved ? Result.fail(removed(operation)) : run(view, tenant)
        },
      )
      return Effect.fromResult(checked)
    })
  const always = <A>(
    operation: string,
    key: ThreadKey,
    run: (view: View, tenant: MemoryTenant) => A,
    names?: ReadonlyArray<string>,
  ) =>
    within(
      operation,
      key,
      (view, tenant): Result.Result<A, never> => Result.succeed(run(view, tenant)),
      names,
    )
  return { within, always }
}

type Within = ReturnType<typeof makeWithin>

const storeOf = ({ within, always }: Within) =>
  ThreadStore.of({
    open: (key, system, options) =>
      within(
        "open",
        key,
        ({ chat }, { removedOwners }) => {
          const owner = chat.owner ?? options?.owner ?? ""
          if (removedOwners.has(owner)) return Result.fail(removedOwner("open"))
          chat.owner = owner
          if (chat.system === null || options?.replace === true) chat.system = system
          return Result.succeed(chat.system)
        },
        [options?.owner ?? ""],
      ),
    load: (key) => always("load", key, load),
    append: (key, messages, options) => within("append", key, (view) => append(view, messages, options)),
    mark: (key, mark) => within("mark", key, (view) => putMark(view, mark)),
    fail: (key, failure) => within("fail", key, (view) => putFailure(view, failure)),
    row: (key, id) => within("row", key, (view) => readRow(view, id)),
    page: (key, from, limit) => always("page", key, (view) => page(view, from, limit)),
    draft: (key, name) => always("draft", key, ({ chat }) => chat.drafts.get(name) ?? null, [name]),
    saveDraft: (key, name, text) =>
      always("saveDraft", key, ({ chat: { drafts } }) => void (drafts.has(name) || drafts.set(name, text)), [
        name,
      ]),
  })

const editorOf = ({ within, always }: Within, tenantOf: (name: string) => MemoryTenant) =>
  ThreadEditor.of({
    rewind: (key, to) => within("rewind", key, (view) => rewind(view, to)),
    edit: (key, message) => within("edit", key, (view, tenant) => edit(tenant, view, message)),
    versions: (key, id) => always("versions", key, (view) => versions(view, id)),
    fork: (key, chat, at) => within("fork", key, (_, tenant) => fork(tenant, key, chat, at), [chat]),
    withdraw: (key, mark) => always("withdraw", key, (view, tenant) => withdraw(tenant, view, mark)),
    remove: (key) =>
      Effect.suspend(() =>
        Effect.fromResult(
          Result.map(checkKey("remove", key), ({ tenant, chat }) => remove(tenantOf(tenant), chat)),
        ),
      ),
    removeTenant: (name) =>
      Effect.suspend(() =>
        Effect.fromResult(
          Result.map(checkKey("removeTenant", { tenant: name, chat: "" }), () => {
            const tenant = tenantOf(name)
            tenant.isRemoved = true
            tenant.chats.clear()
            Object.assign(tenant.facts, emptyShelf())
            tenant.removedOwners.clear()
          }),
        ),
      ),
  })

const leasesOf = ({ always }: Within) =>
  Leases.of({
    claim: (key, { name, holder }, millis) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        always(
          "claim",
          key,
          ({ chat: { leases } }) => {
            const held = leases.get(name)
            if (held !== undefined && held.holder !== holder && held.until > now) return false
            leases.set(name, { holder, until: now + millis })
            return true
          },
          [name, holder],
        ),
      ),
    release: (key, { name, holder }) =>
      always(
        "release",
        key,
        ({ chat: { leases } }) => void (leases.get(name)?.holder === holder && leases.delete(name)),
        [name, holder],
      ),
  })

const blobsOf = ({ always }: Within) =>
  BlobStore.of({
    put: (key, blobs) =>
      always(
        "put blobs",
        key,
        ({ chat }) => {
          for (const { id, text } of blobs) if (!chat.blobs.has(id)) chat.blobs.set(id, text)
        },
        blobs.map(({ id }) => id),
      ),
    get: (key, ids) =>
      always(
        "get blobs",
        key,
        ({ line }, tenant) => {
          const sources = new Set(line.map(({ source }) => source))
          const all = [...sources].flatMap((source) => [...chatIn(tenant, source).blobs])
          return new Map(all.filter(([id]) => ids.includes(id)))
        },
        ids,
      ),
  })

/** Facts of the same tenants: what is removed there takes none any more. */
const factsOf = (tenantOf: (name: string) => MemoryTenant) =>
  factsOver({
    shelfOf: (name) => tenantOf(name).facts,
    live: (operation, { tenant: name, chat }) => {
      const tenant = tenantOf(name)
      const isGone = tenant.isRemoved || chatIn(tenant, chat).isRemoved
      return isGone ? Result.fail(removed(operation)) : Result.succeed(undefined)
    },
    liveOwner: (operation, name, owner) => {
      const tenant = tenantOf(name)
      if (tenant.isRemoved) return Result.fail(removed(operation))
      return tenant.removedOwners.has(owner)
        ? Result.fail(removedOwner(operation))
        : Result.succeed(undefined)
    },
  })

/**
 * Makes chats in memory. Each layer built from one state sees the same rows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMemoryState = (): MemoryState => {
  const tenants = new Map<string, MemoryTenant>()
  const tenantOf = (name: string): MemoryTenant => {
    const found = tenants.get(name) ?? emptyTenant()
    tenants.set(name, found)
    return found
  }
  const services = Effect.sync(() => {
    const within = makeWithin(tenantOf)
    return Context.make(ThreadStore, storeOf(within)).pipe(
      Context.add(ThreadEditor, editorOf(within, tenantOf)),
      Context.add(Leases, leasesOf(within)),
      Context.add(BlobStore, blobsOf(within)),
      Context.add(FactStore, factsOf(tenantOf)),
      Context.add(OwnerData, ownersOf(tenantOf)),
    )
  })
  return {
    chat: ({ tenant, chat }) => chatIn(tenantOf(tenant), chat),
    layer: Layer.effectContext(services),
  }
}

/**
 * Keeps threads in memory. Nothing is shared between two builds of the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const memoryStore: Layer.Layer<StorePorts> = Layer.unwrap(Effect.sync(() => makeMemoryState().layer))
