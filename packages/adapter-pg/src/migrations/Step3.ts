/**
 * Rewinds, edits, forks, removals, leases and large values.
 *
 * Rows of before have no time of their own. A mark or a failure gets the position of its anchor: a rewind to any later
 * message then leaves it in force, which is right for what it covers, though it may have been put later than that.
 *
 * @since 0.1.0
 */

const chats = [
  `alter table palimpsest_chats
    add column revision bigint not null default 0,
    add column newest_revision bigint not null default 0,
    add column removed_at timestamptz`,
  `update palimpsest_chats c set newest_revision = m.newest
    from (select tenant, chat, max(revision) as newest from palimpsest_marks group by tenant, chat) m
    where m.tenant = c.tenant and m.chat = c.chat and m.newest > 0`,
]

/** A hidden message gives its id free: that ids of shown ones differ is seen to under the lock of the chat. */
const messages = [
  "alter table palimpsest_messages drop constraint palimpsest_messages_tenant_chat_id_key",
  "create index palimpsest_message_ids on palimpsest_messages (tenant, chat, id, position)",
]

const marks = [
  "alter table palimpsest_marks add column time bigint, add column withdrawn boolean not null default false",
  "update palimpsest_marks set time = position",
  "drop index palimpsest_cuts",
  `alter table palimpsest_marks
    alter column time set not null,
    drop constraint palimpsest_marks_tenant_chat_id_key,
    drop constraint palimpsest_marks_pkey,
    add constraint palimpsest_marks_pkey primary key (tenant, chat, time, position, rank, revision)`,
  `create index palimpsest_cuts on palimpsest_marks (tenant, chat, time, position, rank, revision)
    where kind in ('summary', 'reset') and not withdrawn`,
  // Both are wider than they need to be, and so never smaller than the primary key: a planner that knows nothing of a
  // table takes the smallest index, and would read the marks of a whole chat for those of its newest times.
  "create index palimpsest_mark_ids on palimpsest_marks (tenant, chat, id, time, position, rank, revision)",
  "create index palimpsest_mark_places on palimpsest_marks (tenant, chat, position, rank, revision, time, id)",
]

const failures = [
  "alter table palimpsest_failures add column time bigint",
  "update palimpsest_failures set time = position",
  `alter table palimpsest_failures
    alter column time set not null,
    drop constraint palimpsest_failures_pkey,
    add constraint palimpsest_failures_pkey primary key (tenant, chat, time, seq)`,
]

const made = [
  `create table palimpsest_tenants (
    tenant text collate "C" primary key,
    removed_at timestamptz)`,
  `create table palimpsest_stretches (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    low bigint not null,
    high bigint not null,
    source text collate "C" not null,
    primary key (tenant, chat, low))`,
  "create index palimpsest_sources on palimpsest_stretches (tenant, source)",
  "create index palimpsest_chat_sources on palimpsest_stretches (tenant, chat, source)",
  `create table palimpsest_edits (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    position bigint not null,
    version bigint not null,
    id text collate "C" not null,
    payload text not null,
    tokens double precision not null,
    tokenizer text not null,
    cap text,
    raw_format text,
    raw_text text,
    usage text,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position, version))`,
  `create table palimpsest_leases (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    name text collate "C" not null,
    holder text not null,
    until timestamptz not null,
    primary key (tenant, chat, name))`,
  `create table palimpsest_blobs (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    id text collate "C" not null,
    text text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, id))`,
]

/** The third step. */
export const step3: ReadonlyArray<string> = [...chats, ...messages, ...marks, ...failures, ...made]
