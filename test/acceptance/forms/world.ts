import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase, emptyDatabase, hasPostgres } from '../../postgres-cluster.ts';
import { ChangingSite } from '../changing-site.ts';
import { loopback, RealDaemon } from '../real-daemon.ts';

/** A daemon that knows a page, a match and a changed watch, and a machine's home around it. */
export interface World {
  readonly daemon: RealDaemon;
  /** Two pages of sources that the tap `news` has matched, and the events of that. */
  readonly crawled: string;
  readonly crawledToo: string;
  readonly event: string;
  readonly eventToo: string;
  /** A page that is watched and has changed. */
  readonly watched: string;
  /** A page of nobody yet, which changes at every visit. */
  readonly spare: string;
  /** The URL of an empty PostgreSQL database; undefined: the machine has no PostgreSQL. */
  readonly database: string | undefined;
  /** The path of a file in the home; with a text, written. */
  readonly file: (name: string, text?: string) => string;
  readonly close: () => Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const site = await ChangingSite.start(3, 120);
  const [crawled = '', watched = '', spare = ''] = site.urls;
  const home = mkdtempSync(join(tmpdir(), 'hydrant-home-'));
  const daemon = await RealDaemon.start([...loopback, '--ui', '--log-file', join(home, 'log.jsonl')]);
  const file = (name: string, text?: string): string => {
    const path = join(home, name);
    if (text !== undefined) writeFileSync(path, text);
    return path;
  };
  const database = hasPostgres ? await emptyDatabase() : undefined;
  const close = async (): Promise<void> => {
    if (database !== undefined) await dropDatabase(database);
    site.close();
    await daemon.dispose();
    rmSync(home, { recursive: true });
  };
  const crawledToo = `${crawled}too`;
  await furnish(daemon, [crawled, crawledToo], watched);
  const [event = '', eventToo = ''] = await eventsOf(daemon, [crawled, crawledToo]);
  return { daemon, crawled, crawledToo, event, eventToo, watched, spare, database, file, close };
}

async function furnish(daemon: RealDaemon, crawled: readonly string[], watched: string): Promise<void> {
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--tag', 'foxes', '--no-quality', '--no-try']);
  await daemon.hydrant(['crawl', 'add', ...crawled, '--every', '1d']);
  await Promise.all([
    ...crawled.map(async (url) => daemon.hydrant(['crawl', 'visit', url, '--wait'])),
    daemon
      .hydrant(['watch', 'add', watched, '--wait'])
      .then(async () => daemon.run('hydrant', ['watch', 'check', '--all', '--wait'])),
  ]);
}

/** The ids of the first event of each page. */
async function eventsOf(daemon: RealDaemon, urls: readonly string[]): Promise<string[]> {
  const lines = await daemon.hydrant(['tail', 'news', '--once', '--since', '1h', '--json']);
  const events = lines.split('\n').map((line) => JSON.parse(line) as { id: string; document: { url: string } });
  return urls.map((url) => events.find(({ document }) => document.url === url)?.id ?? '');
}
