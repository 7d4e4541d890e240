import { emptyHostsMigration } from './empty-hosts-migration.ts';
import { frontierMigration } from './frontier-migration.ts';
import { hostClassesMigration } from './host-classes-migration.ts';
import { placesMigration } from './places-migration.ts';
import { turnoverMigration } from './turnover-migration.ts';
import { watchMigration } from './watch-migration.ts';
import { ledgerMigration } from './ledger-migration.ts';
import { logBytesMigration } from './log-bytes-migration.ts';
import { recentChangesMigration } from './recent-changes-migration.ts';
import { ruleCountersMigration } from './rule-counters-migration.ts';
import { savedMatchesMigration } from './saved-matches-migration.ts';

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
  turnoverMigration,
  ledgerMigration,
  logBytesMigration,
  ruleCountersMigration,
  savedMatchesMigration,
  watchMigration,
  recentChangesMigration,
  emptyHostsMigration,
  hostClassesMigration,
  placesMigration,
];
