import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Source } from '../../src/shared/api/crawl.ts';
import { PAGE_ELEMENTS } from '../../src/shared/limits.ts';
import { encryptedFlateTwice, flateTwice } from '../shared/page/pdf-bombs.ts';
import { pdfFile } from '../shared/page/pdf-file.ts';
import { RealDaemon, until } from '../acceptance/real-daemon.ts';
import { residentMemory } from '../acceptance/resident-memory.ts';

/** Bodies of legal sizes, and PDFs, each made to take as much memory as it can. */
const bodies: readonly (readonly [name: string, type: string, make: () => string | Uint8Array])[] = [
  ['divs', 'text/html', () => '<div>'.repeat(PAGE_ELEMENTS - 10)],
  ['paragraphs', 'text/html', () => '<p>ab '.repeat(PAGE_ELEMENTS - 10)],
  ['paragraphs with attributes', 'text/html', () => '<p a=1 b=2 c=3>ab '.repeat(PAGE_ELEMENTS - 10)],
  ['brackets', 'text/html', () => '['.repeat(4_900_000)],
  [
    'links',
    'text/html',
    () =>
      Array.from({ length: 230_000 }, (_, index) => `<a href=/${index}>${index}</a>`)
        .join('')
        .slice(0, 5_200_000),
  ],
  [
    'attributes',
    'text/html',
    () => `<p ${Array.from({ length: 300_000 }, (_, index) => `a${index}=1`).join(' ')}>Attributes.`,
  ],
  ['table', 'text/html', () => `<table>${'<tr><td>a<td>b'.repeat(PAGE_ELEMENTS / 3 - 10)}`],
  ['svg', 'text/html', () => `<svg>${'<g>'.repeat(PAGE_ELEMENTS - 10)}`],
  ['words', 'text/html', () => `<p>${'words of a page without an end '.repeat(160_000)}`],
  ['json', 'application/json', () => `[${'{"a":1,"b":"c"},'.repeat(300_000)}0]`],
  ['xml', 'application/xml', () => `<list>${'<a>b</a>'.repeat(450_000)}</list>`],
  [
    'feed',
    'application/rss+xml',
    () =>
      `<rss version="2.0"><channel><title>x</title>${'<item><title>a</title></item>'.repeat(150_000)}</channel></rss>`,
  ],
  ['markdown', 'text/markdown', () => '- [a](b) *c*\n'.repeat(70_000)],
  ['pdf unpacked', 'application/pdf', () => flateTwice(4)],
  ['pdf encrypted', 'application/pdf', () => encryptedFlateTwice(1)],
  [
    'pdf text',
    'application/pdf',
    () => pdfFile({ pages: [`BT /F1 1 Tf 9 700 Td ${'(Some words.) Tj 0 -2 Td '.repeat(900_000)} ET`] }),
  ],
];

const HOSTS = 10;
const THREADS = 4;
const LIST_EVERY_MS = 1_000;
/** After the last page. */
export const BACK_WITHIN_MS = 15_000;

export interface HostileLoad {
  /** Bytes of resident memory: before the first page, the most, and the least within `BACK_WITHIN_MS` after the last. */
  readonly before: number;
  readonly most: number;
  readonly after: number;
  /** Visits by what they came to. */
  readonly visits: Readonly<Record<string, number>>;
}

/**
 * So many hostile pages of ten hosts, each visited once by a real daemon that reads four at a time.
 * @param only names of the bodies that are served; else all
 * @param enough bytes of resident memory after the last page at which the wait for less ends
 */
export async function readHostilePages(count: number, only?: readonly string[], enough = 0): Promise<HostileLoad> {
  const made = bodies
    .filter(([name]) => only?.includes(name) ?? true)
    .map(([, type, make]) => [type, Buffer.from(make())] as const);
  const hosts = await Promise.all(Array.from({ length: HOSTS }, (_, index) => hostOf(`127.0.4.${index + 1}`, made)));
  const daemon = await RealDaemon.start([
    '--allow-private',
    '127.0.0.0/8',
    '--crawl-host-delay',
    '0',
    '--crawl-threads',
    String(THREADS),
  ]);
  try {
    const before = await residentMemory(daemon);
    const urls = Array.from({ length: count }, (_, index) => `${hosts[index % HOSTS]?.origin}/${index}`);
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1d', '--depth', '0'], urls.join('\n'));
    let most = before;
    let sources: Source[] = [];
    let looked = 0;
    await until(
      'each was visited',
      async () => {
        most = Math.max(most, await residentMemory(daemon));
        // A list of hundreds fifty times a second would be a load of its own.
        if (performance.now() < looked + LIST_EVERY_MS) return false;
        looked = performance.now();
        ({ data: sources } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources?limit=1000'));
        return sources.length === count && sources.every(({ visits }) => visits > 0);
      },
      count * 60_000,
    );
    let after = Infinity;
    for (const end = Date.now() + BACK_WITHIN_MS; Date.now() < end && after > enough; await sleep(250)) {
      after = Math.min(after, await residentMemory(daemon));
    }
    if (daemon.log.includes('"level":60')) throw new Error(daemon.log.slice(-2_000));
    return { before, most, after, visits: tally(sources) };
  } finally {
    await daemon.dispose();
    for (const { server } of hosts) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function hostOf(
  address: string,
  made: readonly (readonly [string, Uint8Array])[],
): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const number = Number(request.url?.slice(1));
    // By tens, so that each host has pages of all kinds.
    const [type, body] = made[Math.floor(number / HOSTS + number) % made.length] ?? [];
    if (type === undefined || !Number.isInteger(number)) response.writeHead(404).end();
    else response.setHeader('content-type', type).end(body);
  });
  server.listen(0, address);
  await once(server, 'listening');
  return { origin: `http://${address}:${(server.address() as AddressInfo).port}`, server };
}

function tally(sources: readonly Source[]): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const { last_visit: last } of sources) {
    const word = last?.reason ?? last?.outcome ?? 'none';
    visits[word] = (visits[word] ?? 0) + 1;
  }
  return visits;
}
