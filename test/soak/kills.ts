import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { SseReader } from '../acceptance/sse-reader.ts';
import { Farm } from '../fixtures/farm/farm.ts';
import { seeded } from '../fixtures/series.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';

const PAGES_A_HOST = 100;

/**
 * kill -9, again and again, while the pages of a web are visited for the first time: each of them has to become one
 * event, none two, and the offsets must be dense.
 */
export async function kills(pages: number, times = 50): Promise<string[]> {
  const hosts = Math.ceil(pages / PAGES_A_HOST);
  const random = seeded(5);
  const farm = await Farm.start({ hosts, pagesPerHost: PAGES_A_HOST });
  const flags = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'error'];
  const daemon = await RealDaemon.start([...flags, '--crawl-concurrency', '32']);
  const reader = new SseReader();
  try {
    const tap = await prepare(daemon);
    await daemon.hydrant(['crawl', 'add', '-', '--scope', 'host', '--max-pages', '100'], farm.seeds.join('\n'));
    const visits = async (): Promise<number> =>
      (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data.crawl.visits;
    const follow = async (): Promise<void> => {
      const resume = reader.lastId === undefined ? undefined : { 'last-event-id': reader.lastId };
      const from = resume === undefined ? '?offset=0' : '';
      await reader.open(`${daemon.notice.url}/v1/stream${from}`, tap.token, resume);
    };
    let killed = 0;
    while (reader.updates().length < hosts * PAGES_A_HOST || killed < times) {
      if (reader.ended || reader.lastId === undefined) await follow();
      if (killed >= times) {
        await sleep(200);
        continue;
      }
      await sleep(500 + random() * 4_500);
      process.stderr.write(`  kill ${killed + 1}: ${await visits()} visits, ${reader.updates().length} events\n`);
      await daemon.killAtRandom();
      killed += 1;
      await daemon.start();
    }
    return [`${hosts * PAGES_A_HOST} pages, ${killed} kills`, ...faultsOf(reader, farm)];
  } finally {
    reader.close();
    await daemon.dispose();
    await farm.close();
  }
}

/** What is wrong with the events: nothing, if each page has one. */
function faultsOf(reader: SseReader, farm: Farm): string[] {
  const updates = reader.updates();
  const urls = updates.map(({ data }) => (JSON.parse(data) as Match).document.url);
  const pages = new Set(urls);
  const wanted = farm.books.length * PAGES_A_HOST;
  const isDense = updates.every(({ id }, offset) => id === `0-${offset}`);
  return [
    `${updates.length} events of ${pages.size} pages`,
    ...(pages.size < wanted ? [`FAULT: ${wanted - pages.size} pages have no event`] : []),
    ...(pages.size < urls.length ? [`FAULT: ${urls.length - pages.size} events are doubled`] : []),
    ...(isDense ? [] : ['FAULT: the offsets are not dense']),
  ];
}

async function prepare(daemon: RealDaemon): Promise<Tap> {
  await daemon.hydrant(['tap', 'create', 'kills']);
  await daemon.hydrant(['rule', 'add', 'kills', 'title:host', '--no-quality']);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  const [tap] = data;
  if (!tap) throw new Error('there is no tap');
  return tap;
}
