/**
 * Places where a crash is most interesting, by name. In production they are nothing; with `HYDRANT_FAULT=name:3` the process
 * kills itself, as `kill -9` does, the third time that it comes by: how the crash tests reach each step of a commit.
 */
export const WATCH_FAULT_POINTS = [
  'watch:taken',
  'watch:allowed',
  'watch:fetched',
  'watch:judged',
  'watch:commit-entry',
  'watch:commit-text',
  'watch:commit-diff',
  'watch:commit-baseline',
  'watch:commit-state',
  'watch:commit-quota',
  'watch:committed',
  'watch:told',
] as const;
/** Of a start that finds files of an older version. */
export const UPGRADE_FAULT_POINTS = ['upgrade:copying', 'upgrade:copied', 'upgrade:step', 'upgrade:stepped'] as const;
/** Of any start, in this order. */
export const START_FAULT_POINTS = [
  'start:locked',
  'start:catalog',
  'start:database',
  'start:opened',
  'start:registered',
  'start:restored',
  'start:listening',
  'start:told',
] as const;
/** Of a page, from the web or out of an archive. */
export const VISIT_FAULT_POINTS = [
  'visit:taken',
  'visit:fetched',
  'visit:judged',
  'visit:commit-leads',
  'visit:commit-page',
  'visit:commit-events',
  'visit:committed',
  'visit:told',
  'ingest:taken',
  'ingest:judged',
  'ingest:committed',
] as const;
/** Of any write: of the database, of the ledger, of the catalog. */
export const WRITE_FAULT_POINTS = [
  'group:written',
  'group:committed',
  'charge:spent',
  'charge:counted',
  'charge:kept',
  'charge:committed',
  'catalog:taken',
  'catalog:written',
  'catalog:kept',
  'catalog:renamed',
  'catalog:synced',
] as const;
/** Of a sink: a message is made (its row, then the cursors), sent, and recorded; a problem begins. */
export const SINK_FAULT_POINTS = [
  'sink:compose-messages',
  'sink:composed',
  'sink:sent',
  'sink:recorded',
  'sink:problems-begun',
] as const;
/** Of what goes: revoked taps and removed sources, and once a minute what is old. */
export const CLEAN_FAULT_POINTS = ['clean:forgotten', 'clean:swept', 'clean:trimmed'] as const;
/** Of a move from one store to the other, when all is copied: the directory is marked, the database or the files are whole. */
export const MIGRATE_FAULT_POINTS = ['migrate:marked', 'migrate:committed', 'migrate:moved-in'] as const;

export type FaultPoint =
  | (typeof CLEAN_FAULT_POINTS)[number]
  | (typeof MIGRATE_FAULT_POINTS)[number]
  | (typeof SINK_FAULT_POINTS)[number]
  | (typeof START_FAULT_POINTS)[number]
  | (typeof UPGRADE_FAULT_POINTS)[number]
  | (typeof VISIT_FAULT_POINTS)[number]
  | (typeof WATCH_FAULT_POINTS)[number]
  | (typeof WRITE_FAULT_POINTS)[number];

const [chosen, left] = chosenPoint(process.env['HYDRANT_FAULT']);
let countdown = left;

export function faultPoint(name: FaultPoint): void {
  if (name !== chosen) return;
  countdown -= 1;
  if (countdown === 0) process.kill(process.pid, 'SIGKILL');
}

function chosenPoint(text: string | undefined): [string | undefined, number] {
  if (text === undefined) return [undefined, 0];
  const end = text.lastIndexOf(':');
  const times = Number(text.slice(end + 1));
  return Number.isInteger(times) ? [text.slice(0, end), times] : [text, 1];
}
