import { setTimeout as sleep } from 'node:timers/promises';
import { outside } from '../../src/daemon/outside.ts';
import { openPostgres } from '../../src/daemon/storage/postgres/postgres-storage.ts';
import { hasPostgres, WITHOUT_POSTGRES } from '../postgres-programs.ts';
import { CHANGING, PAUSING } from './crash/chores.ts';
import { checkCredit } from './crash/credit-books.ts';
import { readAll, settle } from './crash/last-life.ts';
import { checkRules } from './crash/rule-windows.ts';
import { checkWatches } from './crash/stored.ts';
import { Faults } from './cluster/faults.ts';
import { ClusterWorld } from './cluster/world.ts';

/** So many faults, and then a rest in which all that clients were told is held against what there is. */
const FAULTS_A_ROUND = 20;
/** A host that a dead node had is free after a minute. */
const PATIENCE_MS = 120_000;
/** Between two faults so many events are told at least. */
const EVENTS_A_FAULT = 5;
const NEWS_MS = 90_000;
/** A visit that was begun before a rule was saved ends with its lease at the latest. */
const RULE_SLACK_MS = 70_000;

/**
 * Three daemons on a database with a synchronous replica, under a load of everything: crawl, watches, streams on any node, rules,
 * taps, credit. What befalls them one after another: nodes killed and stopped, connections ended and cut at COMMIT, the
 * database killed, its replica promoted.
 */
export async function cluster(faults: number, seed = Math.floor(Math.random() * 2 ** 31)): Promise<string[]> {
  if (!hasPostgres) return [WITHOUT_POSTGRES];
  const world = await ClusterWorld.start(seed);
  try {
    return await survived(world, faults, seed);
  } finally {
    await world.close();
  }
}

async function survived(world: ClusterWorld, count: number, seed: number): Promise<string[]> {
  const began = performance.now();
  const { findings } = world;
  const faults = new Faults(world);
  await world.furnish();
  world.work();
  let longestMs = 0;
  while (faults.struck < count) {
    const name = await faults.strike();
    longestMs = Math.max(longestMs, await news(world, name));
    if (faults.struck % FAULTS_A_ROUND !== 0 && faults.struck < count) continue;
    await faults.heal();
    await world.rest();
    await world.look();
    tell(world, faults);
    if (faults.struck < count) world.work();
  }
  findings.when = 'the end';
  await settle(world, PATIENCE_MS);
  await readAll(world);
  for (const tap of [CHANGING, PAUSING]) {
    const told = world.told.find((one) => one.tap === tap);
    const { operator, crawled } = world;
    if (told) checkRules({ told, operator, findings, pages: crawled.all, slackMs: RULE_SLACK_MS });
  }
  await checkCredit(world.nodes, { told: world.told, findings, isEnd: true });
  await world.nodes.end();
  await checkWatches(await stored(world), findings);
  return [table(world, faults, { seed, longestMs, ms: performance.now() - began }), ...findings.all];
}

/** Milliseconds until somebody is told something again: the service goes on after each fault. */
async function news(world: ClusterWorld, name: string): Promise<number> {
  const [began, before] = [performance.now(), world.events];
  while (world.events < before + EVENTS_A_FAULT) {
    if (performance.now() - began > NEWS_MS) {
      world.findings.lose(`nobody was told anything for ${NEWS_MS} ms after ${name}`);
      break;
    }
    await sleep(20);
  }
  return performance.now() - began;
}

function stored({ database }: ClusterWorld) {
  const onError = (what: string, error: unknown): never => {
    throw new Error(what, { cause: error });
  };
  return openPostgres({ url: database.directUrl, node: 'auditor', outside, onError });
}

function tell({ findings, operator, events, books }: ClusterWorld, { struck }: Faults): void {
  const words = `${struck} faults, ${operator.acknowledged} writes, ${events} events, ${books.requests} requests`;
  const found = findings.all.map((one) => `    ${one}\n`).join('');
  process.stderr.write(`  ${words}, ${findings.all.length} findings\n${found}`);
}

interface Measured {
  readonly seed: number;
  readonly longestMs: number;
  readonly ms: number;
}

function table(world: ClusterWorld, faults: Faults, { seed, longestMs, ms }: Measured): string {
  const { findings, operator, watching, books, events } = world;
  const rows = {
    faults: faults.struck,
    ...Object.fromEntries([...faults.counts].map(([name, count]) => [`  ${name}`, count])),
    'acknowledged writes': operator.acknowledged,
    events,
    'changes of watches': watching.changes,
    requests: books.requests,
    'longest time without news': `${(longestMs / 1_000).toFixed(1)} s`,
    lost: findings.lost.length,
    doubled: findings.doubled.length,
    'out of order': findings.disordered.length,
    'otherwise wrong': findings.wrong.length,
    'requests begun before a fence': books.fenced.length,
    minutes: (ms / 60_000).toFixed(1),
    seed,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(44)} ${value}`)
    .join('\n');
}
