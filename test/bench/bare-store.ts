import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lead } from '../../src/daemon/storage/frontier.ts';
import { ownCpuMs } from './processes.ts';

/** SQLite with the settings of our own file, and nothing around it: no thread, no messages, one table a purpose. */
async function within<Result>(look: (database: DatabaseSync, path: string) => Result): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const path = join(directory, 'bare.db');
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA cache_size = -16000;
  `);
  try {
    return look(database, path);
  } finally {
    database.close();
    await rm(directory, { recursive: true });
  }
}

function together(database: DatabaseSync, write: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  write();
  database.exec('COMMIT');
}

export interface BareCommits {
  readonly perSecond: number;
  /** Of one visit. */
  readonly cpuMs: number;
}

/** So many times a version and an event are inserted, `grouped` of them in a commit. */
export function bareCommits(grouped: number, visits: number, body: Uint8Array): Promise<BareCommits> {
  return within((database) => {
    database.exec(`
      CREATE TABLE versions (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE TABLE events (id INTEGER PRIMARY KEY, tap TEXT NOT NULL, document TEXT NOT NULL);
    `);
    const version = database.prepare('INSERT INTO versions (at, body) VALUES (?, ?)');
    const event = database.prepare('INSERT INTO events (tap, document) VALUES (?, ?)');
    const [begin, cpu] = [performance.now(), ownCpuMs()];
    for (let visit = 0; visit < visits; visit += grouped) {
      together(database, () => {
        for (let one = visit; one < visit + grouped; one += 1) {
          version.run(one, body);
          event.run('tap', `{"url":"http://h.example/","title":"visit ${one}"}`);
        }
      });
    }
    return {
      perSecond: (visits * 1_000) / (performance.now() - begin),
      cpuMs: (ownCpuMs() - cpu) / visits,
    };
  });
}

export interface BareUrls {
  readonly addedPerSecond: number;
  /** Processor time of adding one. */
  readonly cpuMs: number;
  readonly bytesEach: number;
  /** Milliseconds of each look for the eight that are due first, and of putting them off. */
  readonly takes: readonly number[];
  readonly commits: readonly number[];
}

/** URLs in one table with an index of what is due, `grouped` in a commit. */
export function bareUrls(
  count: number,
  { grouped, takes: turns, lead }: { grouped: number; takes: number; lead: (index: number) => Lead },
): Promise<BareUrls> {
  return within((database, path) => {
    database.exec(`
      CREATE TABLE urls (
        id INTEGER PRIMARY KEY, host TEXT NOT NULL, hash INTEGER NOT NULL, url TEXT NOT NULL, due INTEGER NOT NULL
      );
      CREATE UNIQUE INDEX by_host ON urls (host, hash);
      CREATE INDEX by_due ON urls (due);
    `);
    const add = database.prepare('INSERT OR IGNORE INTO urls (host, hash, url, due) VALUES (?, ?, ?, ?)');
    let [spent, cpuMs] = [0, 0];
    for (let from = 0; from < count; from += grouped) {
      const leads = Array.from({ length: Math.min(grouped, count - from) }, (_, index) => lead(from + index));
      const [begin, cpu] = [performance.now(), ownCpuMs()];
      together(database, () => leads.forEach(({ host, hash, url }) => add.run(host, hash, url, from)));
      spent += performance.now() - begin;
      cpuMs += ownCpuMs() - cpu;
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytesEach = statSync(path).size / count;
    return { addedPerSecond: (count * 1_000) / spent, cpuMs: cpuMs / count, bytesEach, ...bareTurns(database, turns) };
  });
}

function bareTurns(database: DatabaseSync, turns: number): Pick<BareUrls, 'takes' | 'commits'> {
  const first = database.prepare('SELECT id, url FROM urls ORDER BY due LIMIT 8');
  const later = database.prepare('UPDATE urls SET due = ? WHERE id = ?');
  const [takes, commits]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    const begin = performance.now();
    const due = first.all();
    const taken = performance.now();
    together(database, () => due.forEach(({ id }) => later.run(1e12 + turn, id ?? null)));
    takes.push(taken - begin);
    commits.push(performance.now() - taken);
  }
  return { takes, commits };
}
