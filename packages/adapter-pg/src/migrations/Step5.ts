/**
 * Durable facts, what was forgotten of them, and the owners whose memory was removed.
 *
 * A fact without a chat was stated by the host: a chat may have an empty name. Subjects and attributes may be longer
 * than an entry of an index, so that a digest stands for both.
 *
 * @since 0.1.0
 */

/** The fifth step. */
export const step5: ReadonlyArray<string> = [
  `create table palimpsest_facts (
    tenant text collate "C" not null,
    chat text collate "C",
    id text collate "C" not null,
    owner text collate "C" not null,
    about text collate "C" not null,
    said text collate "C" not null,
    subject text not null,
    attribute text not null,
    value text not null,
    quote text not null,
    source text collate "C" not null,
    position double precision not null,
    at double precision not null,
    created_at timestamptz not null default now(),
    unique nulls not distinct (tenant, chat, id))`,
  `create index palimpsest_latest_facts on palimpsest_facts
    (tenant, owner, about, at desc, position desc, id desc)`,
  "create index palimpsest_fact_sources on palimpsest_facts (tenant, chat, source)",
  `create table palimpsest_forgotten (
    tenant text collate "C" not null,
    owner text collate "C" not null,
    digest text collate "C" not null,
    at double precision not null,
    primary key (tenant, owner, digest))`,
  `create table palimpsest_owners (
    tenant text collate "C" not null,
    digest text collate "C" not null,
    removed_at timestamptz,
    primary key (tenant, digest))`,
  "create index palimpsest_chat_owners on palimpsest_chats (tenant, owner, chat)",
]
