import { HOST_CLASS } from '../crawl/frontier-rows.ts';

/**
 * The fifth step, which brings the frontier. A page that nobody has visited is one row of numbers and the rest of its
 * URL; what visits leave is in `visited`. Pages of before have no identity yet: they are found by the hash of their URL,
 * and get one when they are.
 */
export const frontierMigration = `
ALTER TABLE sources ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN todo INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN last_status INTEGER;

ALTER TABLE hosts RENAME TO former_hosts;
CREATE TABLE hosts (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  partition INTEGER NOT NULL,
  ready INTEGER,
  pages INTEGER NOT NULL DEFAULT 0,
  is_old INTEGER NOT NULL DEFAULT 0,
  is_counted INTEGER NOT NULL DEFAULT 0,
  turn INTEGER NOT NULL DEFAULT 0,
  foreign_day INTEGER NOT NULL DEFAULT 0,
  foreign_urls INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  backoff INTEGER NOT NULL DEFAULT 0,
  backoff_at INTEGER NOT NULL DEFAULT 0,
  backoff_reason TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  response_ms REAL NOT NULL DEFAULT 0,
  day INTEGER NOT NULL DEFAULT 0,
  fetches INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
);
INSERT INTO hosts (key, name, partition, ready, pages, is_old)
  SELECT key, name, partition_of(name), due, (SELECT count(*) FROM pages WHERE host = former_hosts.key), 1
  FROM former_hosts;
DROP TABLE former_hosts;
CREATE INDEX hosts_ready ON hosts (ready) WHERE ready IS NOT NULL;
CREATE INDEX hosts_backoff ON hosts (key) WHERE backoff > 0;
CREATE INDEX hosts_empty ON hosts (key) WHERE pages = 0;

ALTER TABLE holdings RENAME TO former_holdings;
CREATE TABLE holdings (
  source INTEGER NOT NULL,
  page INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  PRIMARY KEY (source, page)
) WITHOUT ROWID;
INSERT INTO holdings (source, page, depth)
  SELECT source, page, 1 FROM former_holdings AS held
  WHERE source > (SELECT min(source) FROM former_holdings WHERE page = held.page);

ALTER TABLE pages RENAME TO former_pages;
CREATE TABLE pages (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  host INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  url TEXT NOT NULL,
  due INTEGER NOT NULL,
  urgency INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  source INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  flags INTEGER NOT NULL
);
INSERT INTO sqlite_sequence (name, seq) SELECT 'pages', seq FROM sqlite_sequence WHERE name = 'former_pages';
INSERT INTO pages (key, host, hash, url, due, urgency, kind, depth, source, bucket, flags)
  SELECT key, host, -1 - url_hash, short_url(url, (SELECT name FROM hosts WHERE key = host)), due, 0, 0, 1,
    (SELECT min(source) FROM former_holdings WHERE page = key), -1,
    iif((SELECT count(*) FROM former_holdings WHERE page = key) > 1, 4, 0) +
    iif(body_hash IS NOT NULL OR failures > 0 OR EXISTS (SELECT 1 FROM versions WHERE page = key), 8, 0)
  FROM former_pages WHERE key IN (SELECT page FROM former_holdings) ORDER BY key;

CREATE TABLE visited (
  page INTEGER PRIMARY KEY,
  visited_at INTEGER NOT NULL,
  body_hash BLOB,
  etag TEXT,
  last_modified TEXT,
  full_at INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  doubted_at INTEGER,
  theta REAL NOT NULL,
  info REAL NOT NULL,
  pull REAL NOT NULL,
  answers TEXT NOT NULL,
  simhash BLOB,
  site INTEGER,
  copy_of INTEGER,
  alias_of INTEGER,
  hinter INTEGER,
  rights INTEGER NOT NULL DEFAULT 0,
  wrongs INTEGER NOT NULL DEFAULT 0
);
INSERT INTO visited (page, visited_at, body_hash, full_at, failures, doubted_at, theta, info, pull, answers)
  SELECT former.key, coalesce(versions.at, 0), unhex(substr(former.body_hash, 1, 32)), 0, former.failures,
    former.doubted_at, 0, 0.5, 0, ''
  FROM former_pages AS former JOIN pages ON pages.key = former.key AND pages.flags & 8
    LEFT JOIN versions ON versions.page = former.key;
DROP TABLE former_pages;
DROP TABLE former_holdings;

CREATE INDEX pages_hash ON pages (host, hash);
CREATE INDEX pages_due ON pages (host, urgency, due);
CREATE INDEX pages_source ON pages (source);
CREATE INDEX pages_seed ON pages (source, due) WHERE depth = 0;
CREATE INDEX holdings_page ON holdings (page);
CREATE INDEX holdings_seed ON holdings (source, page) WHERE depth = 0;
CREATE TABLE bands (
  site INTEGER NOT NULL,
  band INTEGER NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY (site, band, page)
) WITHOUT ROWID;
CREATE TABLE patterns (
  host INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  fruitful INTEGER NOT NULL,
  PRIMARY KEY (host, bucket)
) WITHOUT ROWID;

ALTER TABLE counters ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN unvisited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN hosts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN pull REAL NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN dropped_max_pages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN dropped_host INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counters ADD COLUMN dropped_pattern INTEGER NOT NULL DEFAULT 0;
UPDATE counters SET pages = (SELECT count(*) FROM pages), hosts = (SELECT count(*) FROM hosts),
  unvisited = (SELECT count(*) FROM pages) - (SELECT count(*) FROM visited),
  clock = coalesce((SELECT max(last_at) FROM sources), 0);
`;

/**
 * The step that lets full sources make room. Pages get the flag that `pages_expendable` goes by at their next visit: a
 * migration that writes ten million rows would take minutes.
 */
export const evictionMigration = `
CREATE TABLE retired (
  hash INTEGER NOT NULL,
  source INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (hash, source)
) WITHOUT ROWID;
CREATE INDEX retired_oldest ON retired (source, at, hash);
CREATE INDEX pages_expendable ON pages (source, due) WHERE flags & 16;
ALTER TABLE sources ADD COLUMN full_at INTEGER;
ALTER TABLE sources ADD COLUMN left_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN left_pages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources ADD COLUMN tombstones INTEGER NOT NULL DEFAULT 0;
`;

/**
 * Empty hosts in the order in which their rests end. In that of their keys, two hundred that rested for long kept all others
 * from being forgotten.
 */
export const emptyHostsMigration = `
  DROP INDEX hosts_empty;
  CREATE INDEX hosts_empty ON hosts (not_before) WHERE pages = 0 AND watches = 0;
`;

export const hostClassesMigration = `
  DROP INDEX hosts_ready;
  DROP INDEX hosts_watch_ready;
  CREATE INDEX hosts_class_ready ON hosts (${HOST_CLASS}, ready) WHERE ready IS NOT NULL;
  CREATE INDEX hosts_class_watch_ready ON hosts (${HOST_CLASS}, watch_ready) WHERE watch_ready IS NOT NULL;
`;

/**
 * The step that counts apart what takes no place of a source (`Places`), and keeps what a full source may let go of in two
 * lines: failed pages are due last, and would stand before all others where their going leaves no place. Pages get the flag
 * (64) at their next visit, as with the step for full sources.
 */
export const placesMigration = `
ALTER TABLE sources ADD COLUMN apart INTEGER NOT NULL DEFAULT 0;
DROP INDEX pages_expendable;
CREATE INDEX pages_expendable ON pages (source, due) WHERE flags & 80 = 16;
CREATE INDEX pages_expendable_apart ON pages (source, due) WHERE flags & 80 = 80;
`;

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

/**
 * Sinks: where they stand in each log, messages that are made and not delivered, the last attempts; and the log of problems. A
 * message is found by its number, which never comes back: an attempt may be under way for one that is gone. Cursors are a few
 * bytes, so they are their own index.
 */
export const sinkMigration = `
  CREATE TABLE sinks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sent INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    wait_until INTEGER,
    disabled_at INTEGER,
    digested_at INTEGER,
    delivered_at INTEGER,
    last_error TEXT,
    sent_times TEXT NOT NULL DEFAULT '[]'
  );
  CREATE TABLE sink_cursors (
    sink INTEGER NOT NULL,
    topic TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (sink, topic)
  ) WITHOUT ROWID;
  CREATE TABLE sink_messages (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    sink INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    message TEXT NOT NULL,
    at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    refusals INTEGER NOT NULL DEFAULT 0,
    is_parked INTEGER NOT NULL DEFAULT 0,
    parked_at INTEGER,
    error TEXT
  );
  CREATE UNIQUE INDEX sink_messages_id ON sink_messages (sink, id);
  CREATE INDEX sink_messages_order ON sink_messages (sink, is_parked, n);
  CREATE TABLE sink_attempts (
    sink INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    detail TEXT,
    ms INTEGER NOT NULL,
    PRIMARY KEY (sink, n)
  ) WITHOUT ROWID;
  CREATE TABLE open_problems (
    key TEXT NOT NULL,
    after INTEGER NOT NULL,
    since INTEGER NOT NULL,
    problem TEXT NOT NULL,
    PRIMARY KEY (key, after)
  ) WITHOUT ROWID;
  CREATE TABLE problem_events (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    after INTEGER NOT NULL,
    problem TEXT NOT NULL
  );
`;
