/**
 * Watches. What a check writes each time is in `watch_states` and `watch_checks`: short rows, so that a check that found
 * nothing new dirties little. What is said once of a watch, and what is read by nobody but the judge, is elsewhere.
 *
 * An unchanged check is about 25 bytes. `code`: outcome, and four times the note (watch-rows.ts); `more`: how it failed, or
 * the failures in a row that it ended. A failure's words stand once, with the number of entries that have them: a site that
 * is down for a day says the same thing a thousand times. A text stands once, too; it is kept while a version has it, which
 * an index knows better than a count. Changes carry their organization, so that nobody looks for its own among all.
 */
export const watchMigration = `
  CREATE TABLE watch_organizations (
    id TEXT PRIMARY KEY,
    watches INTEGER NOT NULL DEFAULT 0,
    is_held INTEGER NOT NULL DEFAULT 0,
    todo INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE TABLE watches (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    organization TEXT NOT NULL,
    member TEXT NOT NULL,
    url TEXT NOT NULL,
    target TEXT NOT NULL,
    every_ms INTEGER NOT NULL,
    jitter_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    options TEXT NOT NULL
  );
  CREATE UNIQUE INDEX watches_target ON watches (organization, target) WHERE id IS NOT NULL;
  CREATE INDEX watches_organization ON watches (organization, key) WHERE id IS NOT NULL;
  CREATE INDEX watches_member ON watches (member, key) WHERE id IS NOT NULL;
  CREATE TABLE watch_states (
    watch INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    due INTEGER NOT NULL,
    parked INTEGER NOT NULL DEFAULT 0,
    checks INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0,
    seen INTEGER NOT NULL DEFAULT 0,
    checked_at INTEGER,
    succeeded_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    changed_n INTEGER,
    changed_at INTEGER,
    body_hash BLOB,
    etag TEXT,
    last_modified TEXT,
    full_at INTEGER NOT NULL DEFAULT 0,
    doubted_at INTEGER,
    doubt TEXT,
    since_baseline INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX watch_states_due ON watch_states (host, due, watch) WHERE parked = 0;
  CREATE INDEX watch_states_failing ON watch_states (watch) WHERE failures > 0;
  CREATE INDEX watch_states_held ON watch_states (watch) WHERE parked >= 2;
  CREATE TABLE watch_checks (
    watch INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    code INTEGER NOT NULL,
    status INTEGER,
    more INTEGER,
    PRIMARY KEY (watch, n)
  ) WITHOUT ROWID;
  CREATE TABLE watch_failures (
    key INTEGER PRIMARY KEY,
    refs INTEGER NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    status INTEGER NOT NULL,
    UNIQUE (reason, detail, status)
  );
  CREATE TABLE watch_changes (
    cursor INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    watch INTEGER NOT NULL,
    n INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    title TEXT,
    packed BLOB NOT NULL,
    UNIQUE (watch, n)
  );
  CREATE INDEX watch_changes_organization ON watch_changes (organization, cursor);
  CREATE TABLE watch_texts (
    key INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    packed BLOB NOT NULL
  );
  CREATE TABLE watch_versions (
    watch INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    text INTEGER NOT NULL,
    PRIMARY KEY (watch, n)
  ) WITHOUT ROWID;
  CREATE INDEX watch_versions_text ON watch_versions (text);
  CREATE TABLE watch_baselines (
    watch INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    content_type TEXT NOT NULL,
    extractor INTEGER NOT NULL,
    reading TEXT NOT NULL,
    at INTEGER NOT NULL,
    history TEXT NOT NULL,
    page BLOB NOT NULL,
    body BLOB NOT NULL
  );
  CREATE TABLE watch_explanations (
    watch INTEGER PRIMARY KEY,
    n INTEGER NOT NULL,
    explanation TEXT NOT NULL
  );
  ALTER TABLE hosts ADD COLUMN watches INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE hosts ADD COLUMN watch_ready INTEGER;
  CREATE INDEX hosts_watch_ready ON hosts (watch_ready) WHERE watch_ready IS NOT NULL;
  DROP INDEX hosts_empty;
  CREATE INDEX hosts_empty ON hosts (key) WHERE pages = 0 AND watches = 0;
  ALTER TABLE counters ADD COLUMN watch_checks INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN watch_changes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN watch_texts INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN watch_text_bytes INTEGER NOT NULL DEFAULT 0;
`;
