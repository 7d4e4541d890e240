import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import { OwnMatch } from '../../fixtures/own-match.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import type { Tap } from '../../../src/shared/api/tap.ts';
import { processFigures } from '../processes.ts';
import { type Pace, paceOf, type Reading } from '../site/served.ts';
import type { SiteProcess } from '../site/site-process.ts';
import { quantile } from '../statistics.ts';
import type { AnswerAs, Answers } from './web.ts';

export interface Terms {
  readonly pagesPerHost: number;
  readonly rules: number;
  readonly concurrency: number;
  /** First visits that warm up; up to which the peak is the crawl's; and all of them. */
  readonly warm: number;
  readonly pages: number;
  readonly allPages: number;
  /** Revisits of each kind that warm up, and that are measured. */
  readonly revisits: { readonly warm: number; readonly measured: number };
  /** Before the first source is added, and after the last page is served. */
  readonly idleMs: number;
  readonly quietMs: number;
}

/** Of one life of the daemon, all on a data directory that was empty. Memory is RSS, or the most there was of it. */
export interface DaemonRun {
  /** Before it was given anything. */
  readonly idleMb: number;
  readonly warm: Pace;
  readonly steady: Pace;
  /** Of the event loop while pages change. */
  readonly lagP99Ms: number;
  /** From the request to change a rule to the answer that it is durable, while pages change. */
  readonly acknowledgedP50Ms: number;
  readonly acknowledgedP99Ms: number;
  /** Up to `pages`, then of as many pages at the end, then of all. */
  readonly peakMb: number;
  readonly lastPeakMb: number;
  readonly wholePeakMb: number;
  readonly quietMb: number;
  readonly revisits: Readonly<Record<Answers, Pace>>;
}

/**
 * The real daemon on the web of `site`, which looks at it when some numbers of pages are served: nothing asks the daemon
 * for anything within a figure. First visits of all pages by links from the front pages, with all rules registered; then a
 * pause; then all pages are due at all times (`crawl edit --every 1s`), and are answered in one way after the other.
 */
export async function daemonRun(site: SiteProcess<readonly string[]>, terms: Terms): Promise<DaemonRun> {
  const flags = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];
  const daemon = await RealDaemon.start([...flags, '--crawl-concurrency', String(terms.concurrency)]);
  try {
    await sleep(terms.idleMs);
    const idleMb = processFigures(daemon.pid).rssMb;
    await register(daemon, terms.rules);
    const first = await firstVisits(daemon, site, terms);
    return { idleMb, ...first, ...(await revisits(daemon, site, terms)) };
  } finally {
    await daemon.dispose();
  }
}

type Revisits = Pick<DaemonRun, 'revisits' | 'lagP99Ms' | 'acknowledgedP50Ms' | 'acknowledgedP99Ms'>;
type FirstVisits = Omit<DaemonRun, 'idleMb' | keyof Revisits>;

async function firstVisits(
  daemon: RealDaemon,
  site: SiteProcess<readonly string[]>,
  terms: Terms,
): Promise<FirstVisits> {
  const { pagesPerHost, warm, pages, allPages, quietMs } = terms;
  await site.tell({ kind: 'answer', answers: 'same' } satisfies AnswerAs);
  // The last window has as many pages as the first one: its peak says whether memory grows with what is known.
  const marks = [0, warm, pages, allPages - pages, allPages].map((count, index) => ({
    pages: count,
    resetsPeak: index === 3,
  }));
  const reached = site.readings(daemon.pid, marks);
  // A fixed interval, so that no page is visited again before all have been once.
  const words = ['crawl', 'add', '-', '--scope', 'host', '--max-pages', String(pagesPerHost), '--every', '1d'];
  await daemon.hydrant(words, site.ready.map((origin) => `${origin}/`).join('\n'));
  const [begun, warmed, some, most, all] = (await reached) as [Reading, Reading, Reading, Reading, Reading];
  await sleep(quietMs);
  // The last pages were served, and not yet read, when the last mark was reached.
  const { rssMb: quietMb, peakMb: lastPeakMb } = processFigures(daemon.pid);
  return {
    warm: paceOf(begun, warmed),
    steady: paceOf(warmed, all),
    peakMb: some.peakMb,
    lastPeakMb,
    wholePeakMb: Math.max(most.peakMb, lastPeakMb),
    quietMb,
  };
}

async function revisits(
  daemon: RealDaemon,
  site: SiteProcess<readonly string[]>,
  { revisits: { warm, measured } }: Terms,
): Promise<Revisits> {
  const sources = (await daemon.hydrant(['crawl', 'list', '--quiet'])).trim().split('\n');
  await daemon.hydrant(['crawl', 'edit', ...sources, '--every', '1s']);
  const kind = async (answers: Answers): Promise<Pace> => {
    await site.tell({ kind: 'answer', answers } satisfies AnswerAs);
    const before = await visitsOf(daemon);
    const marks = [{ pages: warm, resetsPeak: true }, { pages: warm + measured }];
    const [warmed, end] = (await site.readings(daemon.pid, marks)) as [Reading, Reading];
    verify(answers, before, await visitsOf(daemon));
    return paceOf(warmed, end);
  };
  const [same, unmodified] = [await kind('same'), await kind('unmodified')];
  // The daemon measures how late its event loop is from one look at its metrics to the next; the first one loads them.
  await lagP99Ms(daemon);
  const changed = await kind('changed');
  const lag = await lagP99Ms(daemon);
  return { revisits: { same, unmodified, changed }, lagP99Ms: lag, ...(await acknowledgements(daemon)) };
}

/** Of a rule that the operator pauses and resumes, while pages change as fast as they are visited. */
async function acknowledgements(
  daemon: RealDaemon,
): Promise<Pick<DaemonRun, 'acknowledgedP50Ms' | 'acknowledgedP99Ms'>> {
  const times: number[] = [];
  for (let change = 0; change < RULE_CHANGES; change += 1) {
    const begin = performance.now();
    const answer = await daemon.operator<{ data?: object }>('PATCH', `/admin/rules/${ruleId(1)}`, {
      paused: change % 2 === 0,
    });
    times.push(performance.now() - begin);
    if (answer.data === undefined) throw new Error(`a change of a rule was refused: ${JSON.stringify(answer)}`);
  }
  return { acknowledgedP50Ms: quantile(times, 0.5), acknowledgedP99Ms: quantile(times, 0.99) };
}

const RULE_CHANGES = 200;

interface Visits {
  readonly visits: number;
  readonly changes: number;
}

async function visitsOf(daemon: RealDaemon): Promise<Visits> {
  const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  return data.crawl;
}

/** A figure of revisits that were something else says nothing. Throws where more were than may have been under way. */
function verify(answers: Answers, before: Visits, after: Visits): void {
  const visits = after.visits - before.visits;
  const changes = after.changes - before.changes;
  const others = answers === 'changed' ? visits - changes : changes;
  if (others <= UNDER_WAY + visits / 20) return;
  throw new Error(`${changes} of ${visits} revisits answered "${answers}" found a change`);
}

/** Visits that were answered in another way, and not yet recorded, when the answers became others. */
const UNDER_WAY = 100;

/** More rules than one organization may make by the API: they are written into the catalog of a stopped daemon. */
async function register(daemon: RealDaemon, count: number): Promise<void> {
  await daemon.hydrant(['tap', 'create', 'bench']);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  await daemon.stop();
  const path = join(daemon.dataDir, 'catalog.json');
  const catalog = JSON.parse(readFileSync(path, 'utf8')) as { rules: object[] };
  const made = { tapId: data[0]?.id, nsfw: true, quality: false, createdAt: new Date().toISOString() };
  catalog.rules = new OwnMatch().rules(count).map(({ query }, index) => {
    const id = ruleId(index);
    // One in a hundred is about words of the pages: one page in thirty matches.
    return Object.assign({ id, value: index % 100 === 0 ? 'title:festival AND harbour' : query }, made);
  });
  writeFileSync(path, JSON.stringify(catalog));
  await daemon.start();
}

function ruleId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

async function lagP99Ms(daemon: RealDaemon): Promise<number> {
  const text = await daemon.operatorText('/metrics');
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN) * 1_000;
}
