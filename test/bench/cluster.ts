import { join } from 'node:path';
import { Database } from '../../src/daemon/storage/postgres/connection/database.ts';
import {
  freePort,
  guard,
  hasPostgres,
  initialize,
  OWNER,
  serverDirectory,
  serverPid,
  startServer,
  WITHOUT_POSTGRES,
} from '../postgres-programs.ts';
import { type Phase, Service, type ServiceTerms } from './cluster/service.ts';
import type { Asked, Figure, Goal, Outcome } from './row.ts';
import { SiteProcess } from './site/site-process.ts';
import { quantile } from './statistics.ts';

const FORMS = {
  whole: {
    hosts: 240,
    slots: 16,
    busySlots: 96,
    answerMs: [500, 1_000],
    warmMs: 3_000,
    measuredMs: 15_000,
    optimizedMs: 60_000,
  },
  short: { hosts: 12, slots: 2, busySlots: 4, answerMs: [20, 40], warmMs: 500, measuredMs: 1_500, optimizedMs: 500 },
} as const;
const PAGES_PER_HOST = 2;
const NODES = 3;
const GOALS = {
  nodes: { atLeast: 2.7 },
  changed: { atMost: 0.8 },
  unchanged: { atMost: 0.25 },
  delay: { atMost: 250 },
} satisfies Record<string, Goal>;

/**
 * Daemons that share a PostgreSQL, which waits for its disk: hosts that take their time to answer, so that a node visits as much as
 * its slots allow, three of them and then one, beside a daemon on SQLite on the same web. Every change is a match of one tap, which
 * is read on each node.
 */
export async function cluster({ isShort }: Asked): Promise<Outcome> {
  if (!hasPostgres) {
    process.stderr.write(`cluster is skipped: ${WITHOUT_POSTGRES}\n`);
    return { notes: [WITHOUT_POSTGRES], figures: [] };
  }
  const { hosts, answerMs, busySlots, ...form } = FORMS[isShort ? 'short' : 'whole'];
  const script = join(import.meta.dirname, 'crawl/web.ts');
  const words = [hosts, PAGES_PER_HOST, ...answerMs].map(String);
  const site = await SiteProcess.start<readonly string[]>(script, words);
  try {
    const terms = { site, pagesPerHost: PAGES_PER_HOST, ...form };
    const busy = await onPostgres({ ...terms, slots: busySlots }, async (service) => phasesOf(service));
    const nodes = await onPostgres(terms, threeAndOne, NODES);
    const figures = figuresOf({ ...nodes, busy, sqlite: await onSqlite(terms) });
    return {
      notes: [
        `${hosts} hosts that answer after ${answerMs.join(' to ')} ms, ${PAGES_PER_HOST} pages of 15 kB each`,
        `${form.slots} slots (\`crawl-concurrency\`) a node, or one node of ${busySlots}; each change a match of one tap, a stream of it on each node`,
        `${form.measuredMs / 1_000} s of each kind, after ${form.optimizedMs / 1_000} s of visits; the database on the same machine, its CPU that of all its processes`,
      ],
      figures,
    };
  } finally {
    site.close();
  }
}

interface Phases {
  readonly changed: Phase;
  readonly unchanged: Phase;
}

interface Nodes {
  readonly three: Phases;
  readonly one: Phases;
}

interface Measured extends Nodes {
  /** One node, of more slots. */
  readonly busy: Phases;
  readonly sqlite: Phases;
}

async function onPostgres<Answer>(
  terms: ServiceTerms,
  measure: (service: Service) => Promise<Answer>,
  nodes = 1,
): Promise<Answer> {
  const directory = serverDirectory();
  const end = guard(directory);
  try {
    const data = join(directory, 'data');
    await initialize(data);
    const port = await freePort();
    await startServer(data, directory, { port: String(port), max_connections: '100' });
    const admin = new Database({ url: `postgres://${OWNER}@127.0.0.1:${port}/postgres`, connections: 1 });
    await admin.query('CREATE DATABASE service');
    await admin.close();
    const url = `postgres://${OWNER}@127.0.0.1:${port}/service`;
    const service = await Service.start(terms, nodes, { url, server: serverPid(data) ?? 0 });
    try {
      await service.visitAll();
      return await measure(service);
    } finally {
      await service.close();
    }
  } finally {
    await end();
  }
}

async function threeAndOne(service: Service): Promise<Nodes> {
  const three = await phasesOf(service);
  await service.keepOne();
  return { three, one: await phasesOf(service) };
}

async function onSqlite(terms: ServiceTerms): Promise<Phases> {
  const service = await Service.start(terms, 1);
  try {
    await service.visitAll();
    return await phasesOf(service);
  } finally {
    await service.close();
  }
}

async function phasesOf(service: Service): Promise<Phases> {
  return { changed: await service.measure('changed'), unchanged: await service.measure('unmodified') };
}

function figuresOf({ three, one, busy, sqlite }: Measured): Figure[] {
  const against = 'SQLite';
  const ofKind = (kind: keyof Phases, most: Goal): Figure[] => [
    {
      name: `${kind} visits, three nodes to one`,
      value: three[kind].speed / one[kind].speed,
      unit: '',
      goal: GOALS.nodes,
    },
    { name: `${kind} visits, three nodes`, value: three[kind].speed, unit: '/s' },
    { name: `${kind} visits, one node`, value: one[kind].speed, unit: '/s', baseline: sqlite[kind].speed, against },
    {
      name: `PostgreSQL's CPU of ${an(kind)} visit, three nodes`,
      value: three[kind].databaseMs,
      unit: 'ms',
      goal: most,
    },
    { name: `PostgreSQL's CPU of ${an(kind)} visit, one node`, value: one[kind].databaseMs, unit: 'ms' },
    { name: `${kind} visits, one busy node`, value: busy[kind].speed, unit: '/s' },
    { name: `PostgreSQL's CPU of ${an(kind)} visit, one busy node`, value: busy[kind].databaseMs, unit: 'ms' },
    {
      name: `a daemon's CPU of ${an(kind)} visit, three nodes`,
      value: three[kind].daemonMs,
      unit: 'ms',
      baseline: sqlite[kind].daemonMs,
      against,
    },
  ];
  const delay = (share: number, goal?: Goal): Figure => ({
    name: `from the answer of a host to a stream of any node, p${share * 100}`,
    value: quantile(three.changed.delays, share),
    unit: 'ms',
    baseline: quantile(sqlite.changed.delays, share),
    against,
    ...(goal && { goal }),
  });
  return [
    ...ofKind('changed', GOALS.changed),
    ...ofKind('unchanged', GOALS.unchanged),
    delay(0.5),
    delay(0.99, GOALS.delay),
  ];
}

function an(kind: keyof Phases): string {
  return kind === 'unchanged' ? 'an unchanged' : 'a changed';
}
