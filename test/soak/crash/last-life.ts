import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outside } from '../../../src/daemon/outside.ts';
import { openSqlite } from '../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import { type Answering, read } from './ask.ts';
import type { Crawled } from './crawled.ts';
import { checkCredit } from './credit-books.ts';
import { CHANGING, PAUSING } from './chores.ts';
import type { Findings } from './findings.ts';
import { Reader } from './reader.ts';
import { checkRules } from './rule-windows.ts';
import { checkFile, checkWatches } from './stored.ts';
import type { Told } from './told.ts';
import type { Watching } from './watching.ts';
import type { World } from './world.ts';

/** The last life, which nobody ends before all that was shown is told; then everything is held against everything. */
export async function lastLife(world: World, patienceMs: number): Promise<void> {
  const { daemon, findings } = world;
  findings.when = 'the last life';
  await daemon.start();
  await world.look();
  world.crawled.rest();
  await world.feed.finish(daemon);
  await settle(world, patienceMs);
  await readAll(world);
  for (const tap of [CHANGING, PAUSING]) {
    const told = world.told.find((one) => one.tap === tap);
    if (told) checkRules({ told, operator: world.operator, findings, pages: world.crawled.all });
  }
  await checkCredit(daemon, { told: world.told, findings, isEnd: true });
  await ingestAgain(world);
  const code = await daemon.stop();
  if (code !== 0) findings.contradict(`the last life was stopped, and ended with ${code ?? 'a signal'}`);
  checkFile(daemon.dataDir, findings);
  await checkWatches(await openSqlite({ dataDir: daemon.dataDir, outside }), findings);
}

/** Whose sites and clients have come to their end. */
export interface Ending {
  readonly daemon: Answering;
  readonly findings: Findings;
  readonly crawled: Crawled;
  readonly watching: Watching;
  readonly told: readonly Told[];
  readonly readers: readonly Reader[];
  follow(readers?: readonly Reader[]): Promise<void>;
}

/** Versions on show that nobody was told of. */
function missing({ crawled, told }: Ending): string[] {
  const steady = new Set([...(told[0]?.events.values() ?? [])].map(({ name, version }) => `${name} ${version}`));
  return [...crawled.all].flatMap(({ name, shown }) =>
    shown.flatMap((_, version) => (steady.has(`${name} ${version}`) ? [] : [`version ${version} of ${name}`])),
  );
}

/** Until each page has been told of, while the sites stand still; what is not told within `patienceMs` is lost. */
export async function settle(world: Ending, patienceMs: number): Promise<void> {
  const { watching, findings } = world;
  world.crawled.rest();
  watching.rest();
  const end = performance.now() + patienceMs;
  const isQuiet = (): boolean => missing(world).length === 0 && watching.missing.length === 0;
  while (!isQuiet() && performance.now() < end) {
    await world.follow();
    await watching.step(world.daemon);
    await sleep(100);
  }
  for (const what of [...missing(world), ...watching.missing]) findings.lose(what);
}

/** By new clients, from the first event on; one that was not told before is told now, and one that was, as it was. */
export async function readAll(world: Ending): Promise<void> {
  const { daemon, findings, told, watching } = world;
  for (const reader of world.readers) reader.close();
  const readers = told.map((one) => new Reader({ name: `new client of ${one.tap}`, told: one, findings }));
  const { match } = await read<Status>(daemon, '/admin/status');
  const readSoFar = (): number => readers.reduce((sum, { next }) => sum + next, 0);
  const end = performance.now() + READING_MS;
  while (readSoFar() < match.events && performance.now() < end) {
    await world.follow(readers);
    await sleep(50);
  }
  if (readSoFar() !== match.events)
    findings.lose(`${match.events} events are in the log, and ${readSoFar()} were read`);
  for (const reader of readers) reader.close();
  await watching.readAgain(daemon);
  for (const one of told) one.check();
}

/** The whole archive once more, by the command line: nothing in it is new. */
async function ingestAgain({ daemon, disk, feed, findings }: World): Promise<void> {
  if (feed.acknowledged === 0) return;
  const file = join(disk.directory, 'archive.warc');
  writeFileSync(file, feed.bytes);
  const said = JSON.parse(await daemon.hydrant(['ingest', file, '--json'])) as {
    readonly changed: number;
    readonly skipped: { readonly known?: number };
  };
  const { known = 0 } = said.skipped;
  if (said.changed > 0 || known !== feed.acknowledged) {
    findings.double(`an archive that is known came to ${JSON.stringify(said)}, of ${feed.acknowledged} records`);
  }
  rmSync(file);
}

const READING_MS = 60_000;
