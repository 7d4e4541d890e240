import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { outside } from '../../src/daemon/outside.ts';
import type { TapCreated } from '../../src/shared/api/tap.ts';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { manyWatches, seedEvents } from '../daemon/view/seed-events.ts';
import { processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';

const FORMS = { whole: { watches: 1_000, matches: 10_000, times: 50 }, short: { watches: 20, matches: 50, times: 2 } };
/** Milliseconds of the daemon's processor time for one screen, and kB of its page. */
const MOST_MS = 100;
const MOST_KB = 150;

const SCREENS = { watches: '/ui/watches', timeline: '/ui/', crawl: '/ui/crawl', health: '/ui/health' } as const;

/** Screens of the web view of a real daemon: what one costs it, all of its threads together, and what goes over the wire. */
export async function ui({ isShort }: Asked): Promise<Outcome> {
  const { watches, matches, times } = FORMS[isShort ? 'short' : 'whole'];
  const daemon = new RealDaemon(['--ui', '--allow-private', '127.0.0.0/8', '--log-level', 'warn']);
  try {
    await daemon.start();
    const tap = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: 'news' });
    await daemon.operator('POST', '/v1/rules', { value: 'ferry' }, tap.token);
    const orders = manyWatches(watches, 'paused');
    await daemon.operator('POST', '/admin/watches/batch', { watches: orders });
    await daemon.stop();
    const storage = await openSqlite({ dataDir: daemon.dataDir, outside });
    try {
      await seedEvents(storage, tap.data.id, matches, outside.now());
    } finally {
      await storage.close();
    }
    await daemon.start();
    const cookie = await signedIn(daemon);
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(SCREENS))
      figures.push(...(await screen(daemon, { name, path, cookie, times })));
    return {
      notes: [`${watches} watches, ${matches} matches; each screen ${times} times, after it was warm`],
      figures,
    };
  } finally {
    await daemon.dispose();
  }
}

async function signedIn(daemon: RealDaemon): Promise<string> {
  const { data } = await daemon.operator<{ data: { url: string } }>('POST', '/admin/ui/links');
  const { origin, searchParams } = new URL(data.url);
  const body = new URLSearchParams({ code: searchParams.get('code') ?? '' }).toString();
  const request = { method: 'POST', body, headers: { origin }, redirect: 'manual' } as const;
  const answer = await fetch(`${origin}/ui/enter`, request);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly cookie: string;
  readonly times: number;
}

async function screen(daemon: RealDaemon, { name, path, cookie, times }: Screen): Promise<Figure[]> {
  const load = async (): Promise<number> => {
    const answer = await fetch(daemon.notice.url + path, { headers: { cookie } });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return (await answer.arrayBuffer()).byteLength;
  };
  let bytes = 0;
  for (let time = 0; time < times; time += 1) bytes = await load();
  const before = processFigures(daemon.pid).cpuMs;
  for (let time = 0; time < times; time += 1) await load();
  const cpuMs = (processFigures(daemon.pid).cpuMs - before) / times;
  return [
    { name: `CPU of the screen ${name}`, value: cpuMs, unit: 'ms', goal: { atMost: MOST_MS } },
    { name: `page of the screen ${name}`, value: bytes / 1_000, unit: 'kB', goal: { atMost: MOST_KB } },
  ];
}
