import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { complaints } from '../fixtures/farm/complaints.ts';
import { Farm } from '../fixtures/farm/farm.ts';
import { CHARACTERS } from '../fixtures/farm/faults.ts';

const HOSTS = 200;
const PAGES_A_HOST = 20;
const DELAY_S = 0.05;

/** The real daemon among hosts of which a third misbehave, until they have answered this many requests. */
export async function polite(fetches: number): Promise<string[]> {
  const farm = await Farm.start({
    hosts: HOSTS,
    pagesPerHost: PAGES_A_HOST,
    hasPrivate: true,
    robots: () => 'User-agent: *\nDisallow: /private/\n',
    character: (host) => (host % 3 === 0 ? (CHARACTERS[(host / 3) % CHARACTERS.length] ?? 'good') : 'good'),
  });
  const flags = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', String(DELAY_S), '--log-level', 'error'];
  const daemon = await RealDaemon.start([...flags, '--crawl-deadline', '2', '--crawl-concurrency', '64']);
  try {
    const terms = ['--scope', 'host', '--every', '1s', '--max-pages', String(PAGES_A_HOST * 2)];
    await daemon.hydrant(['crawl', 'add', '-', ...terms], farm.seeds.join('\n'));
    let made = 0;
    for (let told = 0; made < fetches; made = requestsOf(farm)) {
      if (made >= told) process.stderr.write(`  ${made} of ${fetches} requests\n`);
      if (made >= told) told = made + fetches / 10;
      await sleep(200);
    }
    const found = complaints(farm, { delayMs: DELAY_S * 1_000, disallowed: /^\/private\// });
    return [`${made} requests to ${HOSTS} hosts, ${found.length} complaints`, ...found];
  } finally {
    await daemon.dispose();
    await farm.close();
  }
}

function requestsOf(farm: Farm): number {
  return farm.books.reduce((sum, book) => sum + book.requests.length, 0);
}
