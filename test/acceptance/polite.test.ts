import { afterEach, describe, expect, test } from 'vitest';
import type { CrawlStatus } from '../../src/shared/api/crawl.ts';
import { complaints } from '../fixtures/farm/complaints.ts';
import { Farm } from '../fixtures/farm/farm.ts';
import { CHARACTERS } from '../fixtures/farm/faults.ts';
import { RealDaemon, until } from './real-daemon.ts';

const DELAY_S = 0.1;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', String(DELAY_S), '--crawl-deadline', '2'];

/** The short form of `npm run soak -- polite`: what site owners see of the real daemon. */
describe('among hosts of which half misbehave', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0)) await thing.close();
  });

  async function crawled(farm: Farm, ...terms: string[]): Promise<RealDaemon> {
    const daemon = await RealDaemon.start([...FLAGS, '--crawl-concurrency', '32']);
    open.push({ close: () => daemon.dispose() }, farm);
    await daemon.hydrant(['crawl', 'add', '-', '--scope', 'host', ...terms], farm.seeds.join('\n'));
    return daemon;
  }

  test('nobody has two connections, a rest cut short, a visit that robots.txt forbids, or one before Retry-After', async () => {
    const farm = await Farm.start({
      hosts: 2 * CHARACTERS.length,
      pagesPerHost: 12,
      hasPrivate: true,
      robots: () => 'User-agent: *\nDisallow: /private/\n',
      character: (host) => CHARACTERS[host] ?? 'good',
    });
    await crawled(farm, '--every', '1s');
    const made = (): number => farm.books.reduce((sum, book) => sum + book.requests.length, 0);
    await until('a thousand requests', () => made() >= 1_000, 110_000);
    expect(complaints(farm, { delayMs: DELAY_S * 1_000, disallowed: /^\/private\// })).toEqual([]);
  });

  test('a host that backs off is left alone after kill -9, too', async () => {
    const farm = await Farm.start({
      hosts: 1,
      pagesPerHost: 3,
      character: () => 'good',
      limitsAfter: 2,
      restSeconds: 6,
    });
    const daemon = await crawled(farm, '--every', '1s');
    await until('the host has asked for rest', () => farm.books[0]?.hasAskedForRest === true);
    await until('its rest is kept', async () => {
      const status = JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;
      return status.hosts.backing_off === 1;
    });
    await daemon.kill();
    await daemon.start();
    await until('it was asked again', () => (farm.books[0]?.requests.length ?? 0) > 3);
    expect(complaints(farm, { delayMs: DELAY_S * 1_000, disallowed: /^\/private\// })).toEqual([]);
  });
});
