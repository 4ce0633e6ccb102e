/**
 * The first tables: chats, their rows, failures and drafts.
 *
 * @since 0.1.0
 */

/** The first step. */
export const step1: ReadonlyArray<string> = [
  `create table palimpsest_chats (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    system text,
    next_position bigint not null default 1,
    next_seq bigint not null default 1,
    created_at timestamptz not null default now(),
    primary key (tenant, chat))`,
  `create table palimpsest_messages (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    position bigint not null,
    id text collate "C" not null,
    payload text not null,
    tokens double precision not null,
    tokenizer text not null,
    cap text,
    raw_format text,
    raw_text text,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position),
    unique (tenant, chat, id))`,
  `create table palimpsest_marks (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    position bigint not null,
    rank integer not null,
    revision bigint not null,
    seq bigint not null,
    id text collate "C" not null,
    kind text not null,
    anchor text collate "C" not null,
    kept text not null default '[]',
    payload text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position, rank, revision),
    unique (tenant, chat, id))`,
  `create index palimpsest_cuts on palimpsest_marks (tenant, chat, position, rank, revision)
    where kind in ('summary', 'reset')`,
  `create table palimpsest_failures (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    position bigint not null,
    seq bigint not null,
    anchor text collate "C" not null,
    stage text not null,
    reason text not null,
    tokens double precision not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, position, seq))`,
  `create table palimpsest_drafts (
    tenant text collate "C" not null,
    chat text collate "C" not null,
    name text collate "C" not null,
    text text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, chat, name))`,
]
