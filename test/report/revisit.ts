import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { openMemory } from '../reference/storage/memory.ts';
import { quantile, readNews } from './news-list.ts';
import {
  crawlByRule,
  seededRandom,
  type Figures,
  type Rule,
  RULES,
  type Tally,
  type Web,
  webOf,
} from './revisit-web.ts';
import { crawl } from './revisit-week.ts';

/**
 * `npm run report -- revisit [pages] [days] [seed]`: how soon a change is seen, with hydrant's schedule and with those of
 * others, each with as many visits in each minute. The first day, in which the pages are found, is not measured. Then how soon
 * a list of news sites is.
 */
export async function report(args: readonly string[]): Promise<void> {
  const [pages = 20_000, days = 8, seed = 7] = args.map(Number);
  const web = webOf({ pages, days, seed });
  const hinted = await ours(web, true);
  const bare = await ours(web, false);
  const rows: Row[] = [
    { name: 'hydrant', figures: hinted.tally.figures() },
    { name: 'hydrant, no hints', figures: bare.tally.figures() },
    ...Object.entries(RULES).map(([name, rule]) => row(name, web, rule, bare.tally, false)),
    row('nutch, with the same hints', web, RULES.nutch, hinted.tally, true),
    row('stormcrawler, with the same hints', web, RULES.stormcrawler, hinted.tally, true),
  ];
  // Each against Nutch with its own number of visits.
  const nutch = row('', web, RULES.nutch, hinted.tally, false).figures.delayHours;
  const bareNutch = rows.find(({ name }) => name === 'nutch')?.figures.delayHours ?? NaN;
  print(`${pages} pages, ${days - 1} days after the first, ${pages} revisits a day planned, seed ${seed}`);
  print(`${''.padEnd(36)}mean delay   <= 1 h   <= 6 h   with change   visits a day`);
  for (const { name, figures } of rows) print(lineOf(name, figures));
  print(
    `mean delay in parts of Nutch’s: ${ratio(hinted.tally, nutch)} (goal 0.6), no hints ${ratio(bare.tally, bareNutch)}`,
  );
  print(`heap: ${hinted.heap.map((mb) => mb.toFixed(1)).join(' ')} MB, day by day`);
  print(`slope from the second day on: ${slopeOf(hinted.heap.slice(1)).toFixed(2)} MB a day`);
  for (const articles of [10, 40]) await reportNews(articles);
}

/** A list of fifty news sites, at the budget of the default settings. */
async function reportNews(articles: number): Promise<void> {
  const terms = { sites: 50, articles, hours: 6, rate: 5, random: seededRandom(3) };
  const { found, edits, mostOfASite, perSecond } = await readNews({ storage: openMemory(), ...terms });
  const minutes = (delays: readonly number[]): string =>
    [0.5, 0.9, 0.99].map((share) => (quantile(delays, share) / 60_000).toFixed(1)).join(' / ');
  print(`${terms.sites} news sites of ${articles} articles, ${terms.hours} h: minutes until seen, p50 / p90 / p99`);
  print(`  new articles (${found.length}): ${minutes(found)}; edits of them (${edits.length}): ${minutes(edits)}`);
  print(`  ${perSecond.toFixed(2)} requests a second, ${mostOfASite.toFixed(0)} a day of the site with the most`);
}

interface Row {
  readonly name: string;
  readonly figures: Figures;
}

async function ours(web: Web, hasHints: boolean): Promise<{ readonly tally: Tally; readonly heap: readonly number[] }> {
  const heap: number[] = [];
  const onDay = (): void => void heap.push(heapMb());
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-week-'));
  const storage = await openSqlite({ dataDir, outside, groupCommitMs: 0 });
  try {
    return { tally: await crawl({ web, storage, perDay: web.pages, hasHints, random: seededRandom(1), onDay }), heap };
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true });
  }
}

function row(name: string, web: Web, rule: Rule, { perMinute }: Tally, hasHints: boolean): Row {
  return { name, figures: crawlByRule(web, rule, perMinute, hasHints).figures() };
}

function lineOf(name: string, { delayHours, withinHour, withinSix, fruitful, perDay }: Figures): string {
  const [hour, six, found] = [withinHour, withinSix, fruitful].map((share) =>
    `${(share * 100).toFixed(0)} %`.padStart(9),
  );
  return `${name.padEnd(36)}${delayHours.toFixed(2).padStart(8)} h${hour}${six}${found?.padStart(14)}${perDay.toFixed(0).padStart(15)}`;
}

function ratio(tally: Tally, others: number): string {
  return (tally.figures().delayHours / others).toFixed(2);
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Least squares, a value a day. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, day) => sum + (day - middle) * (value - mean), 0);
  return rise / values.reduce((sum, _, day) => sum + (day - middle) ** 2, 0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
