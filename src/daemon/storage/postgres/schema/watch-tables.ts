/**
 * Watches: as they are ordered (`watches`), what checks have left of each (`watch_states`), the history of checks, the changes
 * among them, and the texts, each stored once. The columns are those of SQLite, so that rows are read alike. What differs:
 *
 * `asked_due` and `is_superseded` are what was changed since the watch was taken: the node that checks it is another one.
 * `watch_cursors` has the newest cursor of each organization: a row that a change locks until it is committed, so whoever has read
 * a cursor has missed none below; a sequence would show the later one first. A failure is a row of its own check: one that is
 * shared and counted would be a lock for all checks that fail alike.
 *
 * A target may be longer than an entry of an index: `target_hash` is the SHA-256 of it.
 *
 * A watch without an id is forgotten; what checks have left of it waits to be swept.
 */
export const watchTables = `
CREATE TABLE watch_organizations (
  id text COLLATE "C" PRIMARY KEY,
  watches integer NOT NULL DEFAULT 0,
  is_held boolean NOT NULL DEFAULT false,
  todo boolean NOT NULL DEFAULT false
);
CREATE TABLE watch_cursors (organization text PRIMARY KEY, cursor bigint NOT NULL) WITH (fillfactor = 50);
CREATE TABLE watches (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text UNIQUE,
  organization text NOT NULL,
  member text COLLATE "C" NOT NULL,
  url text NOT NULL,
  target text NOT NULL,
  target_hash bytea NOT NULL,
  every_ms bigint NOT NULL,
  jitter_ms bigint NOT NULL,
  created_at bigint NOT NULL,
  options text NOT NULL,
  title text,
  tags text
);
CREATE UNIQUE INDEX watches_target ON watches (organization, target_hash) WHERE id IS NOT NULL;
CREATE INDEX watches_organization ON watches (organization, key) WHERE id IS NOT NULL;
CREATE INDEX watches_member ON watches (member, key) WHERE id IS NOT NULL;
CREATE INDEX watches_forgotten ON watches (key) WHERE id IS NULL;
CREATE TABLE watch_states (
  watch bigint PRIMARY KEY,
  host bigint NOT NULL,
  due bigint NOT NULL,
  asked_due bigint,
  is_superseded boolean NOT NULL DEFAULT false,
  parked smallint NOT NULL DEFAULT 0,
  checks integer NOT NULL DEFAULT 0,
  changes integer NOT NULL DEFAULT 0,
  seen integer NOT NULL DEFAULT 0,
  checked_at bigint,
  succeeded_at bigint,
  failures integer NOT NULL DEFAULT 0,
  failing_since bigint,
  changed_n integer,
  changed_at bigint,
  body_hash bytea,
  etag text,
  last_modified text,
  full_at bigint NOT NULL DEFAULT 0,
  doubted_at bigint,
  doubt text,
  since_baseline integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX watch_states_due ON watch_states (host, due, watch) WHERE parked = 0;
CREATE INDEX watch_states_failing ON watch_states (watch) WHERE failures > 0;
CREATE INDEX watch_states_held ON watch_states (watch) WHERE parked >= 2;
CREATE TABLE watch_checks (
  watch bigint NOT NULL,
  at bigint NOT NULL,
  more bigint,
  n integer NOT NULL,
  code smallint NOT NULL,
  status smallint,
  PRIMARY KEY (watch, n)
);
CREATE TABLE watch_failures (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reason text NOT NULL,
  detail text NOT NULL,
  status integer NOT NULL
);
CREATE TABLE watch_changes (
  organization text NOT NULL,
  cursor bigint NOT NULL,
  watch bigint NOT NULL,
  n integer NOT NULL,
  inserted integer NOT NULL,
  deleted integer NOT NULL,
  title text,
  packed bytea NOT NULL,
  PRIMARY KEY (organization, cursor),
  UNIQUE (watch, n)
);
ALTER TABLE watch_changes ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE TABLE watch_texts (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  packed bytea NOT NULL
);
ALTER TABLE watch_texts ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE TABLE watch_versions (
  watch bigint NOT NULL,
  at bigint NOT NULL,
  text bigint NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (watch, n)
);
CREATE INDEX watch_versions_text ON watch_versions (text);
CREATE TABLE watch_baselines (
  watch bigint PRIMARY KEY,
  url text NOT NULL,
  content_type text NOT NULL,
  extractor integer NOT NULL,
  reading text NOT NULL,
  at bigint NOT NULL,
  history text NOT NULL,
  page bytea NOT NULL,
  body bytea NOT NULL
);
ALTER TABLE watch_baselines ALTER COLUMN page SET STORAGE EXTERNAL, ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE watch_explanations (watch bigint PRIMARY KEY, n integer NOT NULL, explanation text NOT NULL);
CREATE TABLE watch_counters (node text PRIMARY KEY, checks bigint NOT NULL, changes bigint NOT NULL) WITH (fillfactor = 50);
`;
