import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** Milliseconds between two states of the site. */
export const TICK_MS = 3_000;

export interface SiteOptions {
  readonly seed: number;
  readonly now: () => number;
}

/** A running site. */
export interface Site {
  /** One a page, in the order of `pages`. */
  readonly urls: readonly string[];
  close(): Promise<void>;
}

/**
 * A small web site on the loopback interface whose pages change every three seconds, as a function of the seed and
 * the time since it was started. Two hosts where the system has them, so that the demo shows two domains: Linux
 * answers on all of 127.0.0.0/8, macOS on 127.0.0.1 alone.
 */
export async function startSite({ seed, now }: SiteOptions): Promise<Site> {
  const started = now();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const at = now();
    const render = pages[new URL(request.url ?? '/', 'http://site').pathname];
    const tick = Math.floor((at - started) / TICK_MS);
    if (render) send(response, 200, render({ seed, tick }, new Date(started + tick * TICK_MS).toISOString()));
    else send(response, 404, '<!doctype html><title>Not found</title><p>There is no such page.</p>');
  };
  const first = await listen(answer, '127.0.0.1');
  const second = await listen(answer, '127.0.0.2').catch(() => first);
  const hosts = [first, second];
  return {
    urls: Object.keys(pages).map((path, index) => `${hosts[index % 2]?.base ?? first.base}${path}`),
    async close() {
      await Promise.all([...new Set(hosts)].map(async ({ server }) => closed(server)));
    },
  };
}

function send(response: ServerResponse, code: number, html: string): void {
  response.writeHead(code, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).end(html);
}

interface Host {
  readonly server: Server;
  readonly base: string;
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host: string,
): Promise<Host> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`no port on ${host}`);
  return { server, base: `http://${host}:${address.port}` };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}

/** The site's pages by path; each renders one moment. `published` is an instant, for the page that carries a date. */
export const pages: Readonly<Record<string, (moment: Moment, published: string) => string>> = {
  '/news': newsPage,
  '/prices': pricesPage,
  '/changelog': changelogPage,
  '/status': statusPage,
};

function newsPage(moment: Moment, published: string): string {
  const articles = stories(moment, 5).map(
    ({ headline, text }) => `<article><h2>${escaped(headline)}</h2>\n<p>${escaped(text)}</p></article>`,
  );
  return page('The Harbour Post – news from Port Verity', articles, [
    `<meta property="article:published_time" content="${escaped(published)}">`,
  ]);
}

function pricesPage(moment: Moment): string {
  const rows = prices(moment).map(
    ({ item, unit, cents }) =>
      `<tr><td>${escaped(item)}</td><td>${(cents / 100).toFixed(2)} €</td><td>per ${escaped(unit)}</td></tr>`,
  );
  return page('Prices at the fish market', [
    '<table><thead><tr><th>Goods</th><th>Price</th><th>Unit</th></tr></thead>',
    `<tbody>${rows.join('\n')}</tbody></table>`,
  ]);
}

function changelogPage(moment: Moment): string {
  const sections = releases(moment, 4).map(
    ({ version, notes }) =>
      `<section><h2>Lantern ${version}</h2>\n<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('\n')}</ul></section>`,
  );
  return page('Lantern charts: changelog', sections);
}

function statusPage(moment: Moment): string {
  const sections = status(moment).map(
    ({ name, state, note }) => `<section><h2>${escaped(name)}: ${state}</h2>\n<p>${escaped(note)}</p></section>`,
  );
  return page('Port Verity harbour services: status', sections);
}

function page(title: string, main: readonly string[], head: readonly string[] = []): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(title)}</title>${head.join('')}</head>`,
    `<body><main><h1>${escaped(title)}</h1>`,
    ...main,
    '</main></body>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** What happens in a made-up harbour town: everything is a function of the seed and of how many ticks have passed. */
export interface Moment {
  readonly seed: number;
  /** Counts from 0. */
  readonly tick: number;
}

interface Story {
  readonly headline: string;
  readonly text: string;
}

const places = ['Port Verity', 'the old quay', 'Lantern Hill', 'the fish market', 'Salt Street'] as const;
const speakers = ['the harbour master', 'the mayor', 'a spokeswoman', 'the head teacher', 'the night watch'] as const;
const days = [
  'on Monday',
  'this weekend',
  'before the summer',
  'by the end of the month',
  'after the spring tide',
] as const;

type Template = (place: string, speaker: string, day: string) => Story;

const templates: readonly [Template, ...Template[]] = [
  (place, speaker, day) => ({
    headline: `New ferry to the islands sails from ${place}`,
    text: `A second ferry will leave ${place} ${day}. It takes forty bicycles, ${speaker} said, and one piano.`,
  }),
  (place, speaker, day) => ({
    headline: `Bridge near ${place} closed for repairs`,
    text: `The swing bridge stays shut for a week. Traffic can use the tunnel again ${day}, ${speaker} said.`,
  }),
  (place, speaker, day) => ({
    headline: `Lighthouse above ${place} gets its lamp back`,
    text: `The lamp was away for nine months. ${capital(speaker)} will light it ${day}, and everyone is invited.`,
  }),
  (place, speaker, day) => ({
    headline: `Market moves to ${place}`,
    text: `Stalls will open at six in the morning ${day}. There will be more room for cheese, ${speaker} promised.`,
  }),
  (place, speaker, day) => ({
    headline: `School choir from ${place} wins in the capital`,
    text: `The choir came home with a cup that nobody can lift. A concert follows ${day}, ${speaker} said.`,
  }),
  (place, speaker, day) => ({
    headline: `Seal found asleep at ${place}`,
    text: `It had come in with the tide and would not be moved. It is expected to leave ${day}, ${speaker} said.`,
  }),
];

/** The newest stories, newest first: one more with each tick. */
export function stories({ seed, tick }: Moment, count: number): Story[] {
  return newest(tick, count).map((number) => {
    const place = pick(places, seed, 'place', number);
    const speaker = pick(speakers, seed, 'speaker', number);
    return pick(templates, seed, 'story', number)(place, speaker, pick(days, seed, 'day', number));
  });
}

interface Price {
  readonly item: string;
  readonly unit: string;
  /** In cents. */
  readonly cents: number;
}

const goods = [
  ['Coffee beans', 'kg', 1_890],
  ['Heather honey', 'jar', 740],
  ['Olive oil', 'litre', 1_120],
  ['Rye bread', 'loaf', 420],
  ['Smoked mackerel', 'piece', 560],
  ['Goat cheese', '100 g', 310],
] as const;

/** Every good gets a new price in its turn, so that each tick changes two rows of the table. */
export function prices({ seed, tick }: Moment): Price[] {
  return goods.map(([item, unit, base], index) => {
    const turn = Math.floor((tick + index) / 3);
    return { item, unit, cents: Math.round((base * (0.9 + 0.2 * seeded(seed, 'price', index, turn))) / 10) * 10 };
  });
}

interface Release {
  readonly version: string;
  readonly notes: readonly string[];
}

const changes = [
  'Fixed a vulnerability in the password reset: links now expire after an hour.',
  'Security: sessions end when the password changes.',
  'Tide tables load twice as fast on slow connections.',
  'The chart remembers its zoom between visits.',
  'Fixed a crash when a buoy had no name.',
  'Wind speeds can be shown in knots, at last.',
  'Moonrise is correct again south of the equator.',
  'Removed the old export; the new one reads its files.',
] as const;

/** The newest releases, newest first: one more with every second tick. */
export function releases({ seed, tick }: Moment, count: number): Release[] {
  return newest(Math.floor(tick / 2), count).map((number) => {
    const first = Math.floor(seeded(seed, 'change', number) * changes.length);
    const step = 1 + Math.floor(seeded(seed, 'step', number) * (changes.length - 1));
    const notes = [changes[first], changes[(first + step) % changes.length]].filter((note) => note !== undefined);
    return { version: `3.${number}.0`, notes };
  });
}

interface Service {
  readonly name: string;
  readonly state: 'Operational' | 'Degraded performance' | 'Major outage';
  readonly note: string;
}

const services = ['Ticket sales', 'Departure boards', 'Harbour webcams', 'Tide gauge'] as const;
const notes = {
  Operational: 'Everything works as it should.',
  'Degraded performance': 'Answers take longer than usual; we know why and are on it.',
  'Major outage': 'Nothing works at present; the engineers are on the boat.',
} as const;

/** Each service is troubled about one time in three, and each in its own rhythm. */
export function status({ seed, tick }: Moment): Service[] {
  return services.map((name, index) => {
    const roll = seeded(seed, 'state', index, Math.floor((tick + index) / 2));
    const state = roll < 0.66 ? 'Operational' : roll < 0.88 ? 'Degraded performance' : 'Major outage';
    return { name, state, note: notes[state] };
  });
}

/** The numbers of the newest `count` of a series of which the first ones were always there. */
function newest(tick: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => tick + count - index);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Numbers that look random and are the same for the same seed and names, on every machine and in any order: each is
 * hashed from what it is for, so the fourth release of a seed is the same whether or not the third was asked for.
 * FNV-1a over the parts, finished as in MurmurHash3.
 * @returns 0 ≤ number < 1
 */
function seeded(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\0')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

function pick<Item>(items: readonly [Item, ...Item[]], ...parts: readonly (string | number)[]): Item {
  return items[Math.floor(seeded(...parts) * items.length)] ?? items[0];
}
