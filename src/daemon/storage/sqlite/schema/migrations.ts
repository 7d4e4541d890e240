import {
  emptyHostsMigration,
  evictionMigration,
  frontierMigration,
  hostClassesMigration,
  placesMigration,
  sinkMigration,
  watchMigration,
} from './migration-steps.ts';
import { EVENT_OVERHEAD_BYTES } from '../../event-log.ts';

/**
 * The tables of `hydrant.db`, as the list of steps that lead to them; `PRAGMA user_version` counts those taken. A
 * step that has been released is never edited.
 *
 * Rowid tables: WITHOUT ROWID with rows of a kilobyte tripled the file (measured); the exceptions hold a few
 * integers. Pages are found by (host, hash): an index over whole URLs would be as large as the table, and one that
 * clusters on a random hash slows down with each million.
 *
 * AUTOINCREMENT where a key must not come back: a visit may still be under way for a page that is gone, and rows of
 * a revoked tap wait to be swept. A tap or source without an id is such a one: forgotten at once, swept in steps.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE log (id INTEGER PRIMARY KEY CHECK (id = 1), partition INTEGER NOT NULL, last_at INTEGER NOT NULL);
  CREATE TABLE taps (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    floor INTEGER NOT NULL DEFAULT 0,
    head INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    tap INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    at INTEGER NOT NULL,
    query_ids TEXT NOT NULL,
    document TEXT NOT NULL
  );
  CREATE UNIQUE INDEX events_offset ON events (tap, offset);

  CREATE TABLE counters (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    visits INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO counters (id) VALUES (1);
  CREATE TABLE sources (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE,
    every_ms INTEGER NOT NULL,
    max_pages INTEGER NOT NULL,
    pages INTEGER NOT NULL DEFAULT 0,
    visits INTEGER NOT NULL DEFAULT 0,
    last_at INTEGER,
    last_url TEXT,
    last_outcome TEXT,
    last_reason TEXT,
    last_detail TEXT
  );
  CREATE TABLE hosts (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, due INTEGER NOT NULL);
  CREATE INDEX hosts_due ON hosts (due);
  CREATE TABLE pages (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    host INTEGER NOT NULL,
    url_hash INTEGER NOT NULL,
    url TEXT NOT NULL,
    due INTEGER NOT NULL,
    body_hash TEXT,
    failures INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX pages_url ON pages (host, url_hash);
  CREATE INDEX pages_host_due ON pages (host, due);
  CREATE INDEX pages_due ON pages (due);
  CREATE TABLE holdings (
    source INTEGER NOT NULL,
    page INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (source, page)
  ) WITHOUT ROWID;
  CREATE INDEX holdings_page ON holdings (page);
  CREATE INDEX holdings_due ON holdings (source, due);
  CREATE TABLE versions (
    page INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    content_type TEXT NOT NULL,
    extractor INTEGER NOT NULL,
    at INTEGER NOT NULL,
    text BLOB NOT NULL,
    body BLOB NOT NULL
  );
  `,
  `
  ALTER TABLE pages ADD COLUMN doubted_at INTEGER;
  ALTER TABLE versions ADD COLUMN history TEXT NOT NULL DEFAULT '{}';
  CREATE TABLE furniture (host INTEGER PRIMARY KEY, seen BLOB NOT NULL);
  `,
  // Two tables of short rows without a rowid: each is its own index. Links are by target, since that is how they are
  // counted; a page's are found by the index, when it is read again or goes.
  `
  CREATE TABLE rating_lists (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('coming', 'current', 'gone')),
    name TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT 0,
    domains INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE ratings (
    list INTEGER NOT NULL,
    domain TEXT NOT NULL,
    rating INTEGER NOT NULL,
    PRIMARY KEY (list, domain)
  ) WITHOUT ROWID;
  CREATE TABLE domains (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    links INTEGER NOT NULL DEFAULT 0,
    referring INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE links (
    target INTEGER NOT NULL,
    source INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (target, source, page)
  ) WITHOUT ROWID;
  CREATE INDEX links_page ON links (page);
  CREATE TABLE graph (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL,
    domains INTEGER NOT NULL,
    links INTEGER NOT NULL
  );
  `,
  `
  CREATE TABLE robots (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    origin TEXT NOT NULL UNIQUE,
    asked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    file BLOB,
    since INTEGER,
    reason TEXT,
    detail TEXT
  );
  CREATE INDEX robots_asked ON robots (asked_at);
  CREATE INDEX robots_unreachable ON robots (since) WHERE since IS NOT NULL;
  CREATE TABLE robots_totals (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    copies INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO robots_totals (id) VALUES (1);
  `,
  frontierMigration,
  evictionMigration,
  // Charged offsets are intervals, merged: nearly always one for each tap. Usage is summed up by day, tap and rule; the row
  // with the empty rule is the tap's own, since an event with two rules is one delivery. Both are rows of a few integers
  // and ids, so they are their own index; days come first, because they are forgotten in the order of days.
  `
  CREATE TABLE credit_accounts (organization TEXT PRIMARY KEY, prepaid INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE credit_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'set', 'unlimited')),
    amount INTEGER NOT NULL,
    left INTEGER NOT NULL CHECK (left >= 0),
    withdrawn INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER
  );
  CREATE INDEX credit_entries_organization ON credit_entries (organization, seq);
  CREATE INDEX credit_entries_left ON credit_entries (organization, expires_at) WHERE left > 0;
  CREATE TABLE charged (
    tap INTEGER NOT NULL,
    first INTEGER NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (tap, first)
  ) WITHOUT ROWID;
  CREATE TABLE usage (
    day INTEGER NOT NULL,
    organization TEXT NOT NULL,
    tap TEXT NOT NULL,
    rule TEXT NOT NULL,
    matches INTEGER NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (day, organization, tap, rule)
  ) WITHOUT ROWID;
  CREATE TABLE checks (
    month TEXT NOT NULL,
    organization TEXT NOT NULL,
    checks INTEGER NOT NULL,
    PRIMARY KEY (month, organization)
  ) WITHOUT ROWID;
`,
  // The size of the log is counted as it grows and shrinks: a sum over it would read all of it.
  `
  ALTER TABLE log ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE log SET bytes = (
    SELECT coalesce(sum(octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}), 0) FROM events
  );
`,
  // Rows of a rule and an hour: 24 of each at most, and only of hours in which something happened.
  `
  CREATE TABLE rule_hours (
    rule TEXT NOT NULL,
    hour INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    no_date INTEGER NOT NULL,
    too_old INTEGER NOT NULL,
    future_date INTEGER NOT NULL,
    url INTEGER NOT NULL,
    adult INTEGER NOT NULL,
    PRIMARY KEY (rule, hour)
  ) WITHOUT ROWID;
  CREATE TABLE rule_last (rule TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
`,
  // A row is some kilobytes, the document and the words it is found by; searching thousands of them is a scan of one index.
  `
  CREATE TABLE saved_matches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    organization TEXT NOT NULL,
    url TEXT NOT NULL,
    tap TEXT NOT NULL,
    tap_name TEXT NOT NULL,
    rules TEXT NOT NULL,
    matched_at INTEGER NOT NULL,
    saved_at INTEGER NOT NULL,
    saved_by TEXT NOT NULL,
    note TEXT NOT NULL,
    document TEXT NOT NULL,
    words TEXT NOT NULL
  );
  CREATE UNIQUE INDEX saved_matches_url ON saved_matches (organization, url);
  CREATE INDEX saved_matches_order ON saved_matches (organization, seq);
`,
  watchMigration,
  // A row is some kilobytes. AUTOINCREMENT: who reads on from one must not meet its number again.
  `
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    change BLOB NOT NULL,
    page BLOB NOT NULL
  );
  CREATE TABLE change_totals (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    bytes INTEGER NOT NULL DEFAULT 0,
    last_at INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO change_totals (id) VALUES (1);
`,
  emptyHostsMigration,
  hostClassesMigration,
  placesMigration,
  // What an older version has dropped was older than the oldest event that is left; offsets tell that there was something.
  `
  ALTER TABLE log ADD COLUMN dropped_up_to INTEGER NOT NULL DEFAULT 0;
  UPDATE log SET dropped_up_to = coalesce((SELECT at - 1 FROM events ORDER BY seq LIMIT 1), last_at)
    WHERE EXISTS (SELECT 1 FROM taps WHERE floor > 0);
`,
  // Tags are a JSON list; null: none.
  `
  ALTER TABLE watches ADD COLUMN title TEXT;
  ALTER TABLE watches ADD COLUMN tags TEXT;
`,
  sinkMigration,
];
