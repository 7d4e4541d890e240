import { lastLife } from './crash/last-life.ts';
import { type Death, live } from './crash/life.ts';
import { type LifePlan, plans } from './crash/plan.ts';
import { World } from './crash/world.ts';

/**
 * The last life waits for hosts whose visit a full disk did not take: each rests for a minute, also after a kill
 * (docs/reliability.md), and then its pages are read one after another.
 */
const PATIENCE_MS = 120_000;

/**
 * The daemon under everything at once – crawl, watches, streams, rules, taps, credit, saved matches, an archive – killed so
 * many times, at named points and at any moment, with torn writes and a full disk between. What each client was told is
 * held against what there is after each life, and in the end.
 */
export async function crash(kills: number, seed = Math.floor(Math.random() * 2 ** 31)): Promise<string[]> {
  const world = await World.start(seed);
  try {
    return await survived(world, { kills, seed, lives: plans(world.random) });
  } finally {
    await world.close();
  }
}

interface Run {
  readonly kills: number;
  readonly seed: number;
  readonly lives: Iterator<LifePlan>;
}

/** The table, and a line for each thing that is wrong. */
export async function survived(world: World, { kills, seed, lives }: Run): Promise<string[]> {
  await world.furnish();
  await world.daemon.kill();
  const deaths: Death[] = [];
  while (deaths.length < kills) {
    const { value: plan } = lives.next() as IteratorYieldResult<LifePlan>;
    world.findings.when = `life ${deaths.length + 1} (${plan.fault ?? `${Math.round(plan.longestMs)} ms`})`;
    deaths.push(await live(world, plan));
    if (deaths.length % 25 === 0) tell(world, deaths);
  }
  await lastLife(world, PATIENCE_MS);
  return [table(world, deaths, seed), ...world.findings.all];
}

function tell({ findings, acknowledged, told }: World, deaths: readonly Death[]): void {
  const events = told.reduce((sum, one) => sum + one.events.size, 0);
  const words = `${deaths.length} kills, ${acknowledged} writes, ${events} events, ${findings.all.length} findings`;
  process.stderr.write(`  ${words}\n${findings.all.map((one) => `    ${one}\n`).join('')}`);
}

function table(
  { findings, acknowledged, told, watching, disk }: World,
  deaths: readonly Death[],
  seed: number,
): string {
  const points = new Map<string, number>();
  for (const { point } of deaths) if (point !== undefined) points.set(point, (points.get(point) ?? 0) + 1);
  const atPoints = [...points.values()].reduce((sum, count) => sum + count, 0);
  const rows = {
    kills: deaths.length,
    'at random moments': deaths.length - atPoints,
    'at fault points': `${atPoints}, of ${points.size} kinds`,
    'with a torn write': deaths.filter(({ torn }) => torn.length > 0).length,
    'in its last commit': deaths.filter(({ torn }) => torn.includes('last commit')).length,
    'with a damaged journal': deaths.filter(({ damage }) => damage !== undefined).length,
    'of these refused': deaths.filter(({ damage }) => damage === 'refused').length,
    [`with a full disk (${disk.kind})`]: deaths.filter(({ wasFull }) => wasFull).length,
    'acknowledged writes': acknowledged,
    events: told.reduce((sum, one) => sum + one.events.size, 0),
    'changes of watches': watching.changes,
    lost: findings.lost.length,
    doubled: findings.doubled.length,
    'out of order': findings.disordered.length,
    'otherwise wrong': findings.wrong.length,
    seed,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(28)} ${value}`)
    .join('\n');
}
