import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../../src/shared/api/status.ts';
import { read } from './ask.ts';
import { checkCredit } from './credit-books.ts';
import { CHANGING, PAUSING } from './chores.ts';
import { Reader } from './reader.ts';
import { checkRules } from './rule-windows.ts';
import { checkFile, checkWatches } from './stored.ts';
import type { World } from './world.ts';

/** The last life, which nobody ends before all that was shown is told; then everything is held against everything. */
export async function lastLife(world: World, patienceMs: number): Promise<void> {
  const { daemon, findings, watching } = world;
  findings.when = 'the last life';
  await daemon.start();
  await world.look();
  await settle(world, patienceMs);
  for (const what of missing(world)) findings.lose(what);
  for (const what of watching.missing) findings.lose(what);
  await readAll(world);
  for (const told of world.told) told.check();
  for (const tap of [CHANGING, PAUSING]) {
    const told = world.told.find((one) => one.tap === tap);
    if (told) checkRules({ told, operator: world.operator, findings, pages: world.crawled.all });
  }
  await checkCredit(daemon, { told: world.told, findings, isEnd: true });
  await ingestAgain(world);
  const code = await daemon.stop();
  if (code !== 0) findings.contradict(`the last life was stopped, and ended with ${code ?? 'a signal'}`);
  checkFile(daemon.dataDir, findings);
  await checkWatches(daemon.dataDir, findings);
}

/** Versions on show that nobody was told of. */
function missing({ crawled, told }: World): string[] {
  const steady = new Set([...(told[0]?.events.values() ?? [])].map(({ name, version }) => `${name} ${version}`));
  return [...crawled.all].flatMap(({ name, shown }) =>
    shown.flatMap((_, version) => (steady.has(`${name} ${version}`) ? [] : [`version ${version} of ${name}`])),
  );
}

/** Until each page has been told of, while the site stands still. */
async function settle(world: World, patienceMs: number): Promise<void> {
  world.crawled.rest();
  await world.feed.finish(world.daemon);
  world.watching.rest();
  const end = performance.now() + patienceMs;
  const isQuiet = (): boolean => missing(world).length === 0 && world.watching.missing.length === 0;
  while (!isQuiet() && performance.now() < end) {
    await world.follow();
    await world.watching.step(world.daemon);
    await sleep(100);
  }
}

/** By new clients, from the first event on; one that was not told before is told now, and one that was, as it was. */
async function readAll(world: World): Promise<void> {
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
