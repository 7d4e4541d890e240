import { EVENT_OVERHEAD_BYTES } from '../../event-log.ts';
import type { Mending } from './salvage-mending.ts';

/**
 * The event log once more as it has to be: offsets without gaps, none of them given twice. It begins a new partition, so that
 * every id of before is recognized, and resumes from the oldest event; that is what lets offsets be given anew here.
 */
export function mendLog(mending: Mending): void {
  adoptTaps(mending);
  refuseImpossible(mending);
  const taps = JSON.stringify(mending.catalog.taps.map(({ id }) => id));
  // One that was removed meanwhile, or of an older catalog: its events are swept like those of any other.
  mending.run('UPDATE taps SET id = NULL WHERE id NOT IN (SELECT value FROM json_each(?))', taps);
  mending.drop('events', 'tap NOT IN (SELECT key FROM taps)');
  mending.drop('charged', 'tap NOT IN (SELECT key FROM taps)');
  for (const { key, head } of mending.all<{ key: number; head: number }>('SELECT key, head FROM taps')) {
    closeGaps(mending, key, head);
  }
  const bytes = `octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}`;
  mending.run('INSERT OR IGNORE INTO log (id, partition, last_at) VALUES (1, 0, 0)');
  mending.run(
    `UPDATE log SET partition = max(partition + 1, ?), last_at = max(last_at, (SELECT coalesce(max(at), 0) FROM events)),
      bytes = (SELECT coalesce(sum(${bytes}), 0) FROM events)`,
    Math.floor(mending.now / 1_000),
  );
}

/** Ids of events have ten and fifteen digits: clients could not resume with longer ones. */
const MOST_PARTITIONS = 9_000_000_000;
const MOST_OFFSETS = 900_000_000_000_000;
/** Further ahead of now no clock has been, and what is so is not trimmed before its time has come. */
const AHEAD_MS = 24 * 3_600_000;

/** Numbers that stand in a row without being of a log: all that comes later would go on from them. */
function refuseImpossible(mending: Mending): void {
  const { now } = mending;
  mending.drop('events', `offset NOT BETWEEN 0 AND ${MOST_OFFSETS}`);
  mending.drop('charged', `first < 0 OR next NOT BETWEEN first AND ${MOST_OFFSETS}`);
  mending.run(`UPDATE taps SET head = 0 WHERE head NOT BETWEEN 0 AND ${MOST_OFFSETS}`);
  mending.run('UPDATE events SET at = ? WHERE at > ?', now, now + AHEAD_MS);
  mending.run('UPDATE log SET last_at = ? WHERE last_at > ?', now, now + AHEAD_MS);
  mending.run(`UPDATE log SET partition = 0 WHERE partition NOT BETWEEN 0 AND ${MOST_PARTITIONS}`);
}

interface Orphan {
  readonly tap: number;
  readonly queryIds: string;
}

/** A tap whose row is lost is told by its events: they name the rules that they match, and those their tap. */
function adoptTaps(mending: Mending): void {
  const tapOf = new Map(mending.catalog.rules.map(({ id, tapId }) => [id, tapId]));
  const orphans = mending.each<Orphan>(`SELECT tap, query_ids AS queryIds FROM events
    WHERE tap NOT IN (SELECT key FROM taps) ORDER BY seq DESC`);
  const adopt = mending.database.prepare('INSERT OR IGNORE INTO taps (key, id, floor, head) VALUES (?, ?, 0, 0)');
  for (const row of orphans) {
    const ids = JSON.parse(row.queryIds) as unknown;
    const named = Array.isArray(ids)
      ? ids.map((id) => tapOf.get(String(id))).find((id) => id !== undefined)
      : undefined;
    if (named !== undefined) adopt.run(row.tap, named);
  }
}

/** Events move up to the end of the log, the newest first: what is above them has moved already. */
function closeGaps(mending: Mending, tap: number, knownHead: number): void {
  const events = mending.each<Offset>('SELECT offset FROM events WHERE tap = ? ORDER BY offset DESC', tap);
  const offsets = Array.from(events, ({ offset }) => offset);
  const head = Math.max(knownHead, (offsets[0] ?? -1) + 1);
  const last = offsets.at(-1) ?? head;
  if (head - last !== offsets.length) {
    const paid = mending.all<Interval>('SELECT first, next FROM charged WHERE tap = ? ORDER BY first', tap);
    const move = mending.database.prepare('UPDATE events SET offset = ? WHERE tap = ? AND offset = ?');
    for (const [index, offset] of offsets.entries()) move.run(head - 1 - index, tap, offset);
    savePaid(mending, tap, paidAnew(paid, offsets, head));
  }
  mending.run('UPDATE taps SET floor = ?, head = ? WHERE key = ?', head - offsets.length, head, tap);
}

interface Offset {
  readonly offset: number;
}

interface Interval {
  readonly first: number;
  readonly next: number;
}

/**
 * What was paid for, by the new offsets, as intervals that do not touch. `offsets`: the former ones of the events that are
 * left, the newest first.
 */
export function paidAnew(paid: readonly Interval[], offsets: readonly number[], head: number): Interval[] {
  const moved: { first: number; next: number }[] = [];
  for (const [index, offset] of [...offsets.entries()].toReversed()) {
    if (!paid.some(({ first, next }) => offset >= first && offset < next)) continue;
    const place = head - 1 - index;
    const before = moved.at(-1);
    if (before?.next === place) before.next += 1;
    else moved.push({ first: place, next: place + 1 });
  }
  return moved;
}

function savePaid(mending: Mending, tap: number, paid: readonly Interval[]): void {
  mending.run('DELETE FROM charged WHERE tap = ?', tap);
  for (const { first, next } of paid) {
    mending.run('INSERT INTO charged (tap, first, next) VALUES (?, ?, ?)', tap, first, next);
  }
}
