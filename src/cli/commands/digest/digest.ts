import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { countUpTo, upToADay } from '../option-values.ts';
import { hash } from 'node:crypto';
import { domainOf, printableJson, withoutTags } from '../../text/printable.ts';
import { eachPastMatch, type PastMatch, tapsNamed } from '../past-matches.ts';
import { escaped, htmlPage, inMarkdown, linkInMarkdown } from '../../changes/markup.ts';
import { count } from '../../text/plural.ts';
import { simhash, simhashDistance } from '../../../shared/page/diff/simhash.ts';
import { isTracking } from '../../../shared/page/structure/parameters.ts';
import { grouped } from '../../../shared/grouped.ts';

const ABOUT = `
Near duplicates are one story: the same URL apart from tracking parameters, the
same title, or nearly the same text. Made for cron and mail:
  0 7 * * *  hydrant digest --format html --quiet-when-empty | mail …
`;

/** `hydrant digest`: what matched, for people, once a day: the matches of some taps as one document, near duplicates grouped. */
export function digestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('digest'),
    'hydrant digest',
    'hydrant digest news jobs --since 12h --by domain',
    'hydrant digest news --format html > digest.html',
  )
    .description('the matches of the last 24 hours as one document, near duplicates grouped')
    .argument('[tap...]', 'names or ids of taps; none: all')
    .addOption(new Option('--since <time>', 'how far back, up to 24h').argParser(upToADay).default(86_400, '24h'))
    .addOption(
      new Option('--by <what>', 'how the stories are grouped')
        .choices(['tag', 'domain', 'category', 'tap'] as const)
        .default('tag' as const),
    )
    .addOption(
      new Option('--format <form>', 'Markdown (the default), a page, or JSON').choices(['md', 'html', 'json'] as const),
    )
    .addOption(new Option('--limit <count>', 'stories at most, the newest').argParser(countUpTo(10_000)).default(200))
    .option('--title <text>', 'title of the document')
    .option('--quiet-when-empty', 'print nothing where nothing matched')
    .addHelpText('after', ABOUT)
    .action(action(async (session, [taps], flags) => digest(session, taps, flags)));
}

interface DigestFlags {
  /** Seconds. */
  readonly since: number;
  readonly by: By;
  readonly format?: 'md' | 'html' | 'json' | undefined;
  readonly limit: number;
  readonly title?: string | undefined;
  readonly quietWhenEmpty?: true | undefined;
}

export async function digest(session: Session, wanted: readonly string[], flags: DigestFlags): Promise<void> {
  const { context, out } = session;
  const now = context.now();
  const taps = await tapsNamed(session, wanted);
  const fold = new Fold();
  await Promise.all(taps.map((tap) => eachPastMatch(session, tap, flags.since, (match) => fold.add(match))));
  if (context.closed?.aborted === true) return;
  if (fold.size === 0 && flags.quietWhenEmpty === true) return;
  const stories = fold.stories();
  const names = taps.flatMap(({ tap }) => tap?.name ?? []);
  const found: Digest = {
    title: flags.title ?? ['hydrant', ...(names.length > 0 ? [names.join(', ')] : [])].join(': '),
    since: new Date(now - flags.since * 1_000).toISOString(),
    until: new Date(now).toISOString(),
    matches: fold.size,
    stories: stories.length,
    groups: groupsOf(stories.slice(0, flags.limit), flags.by),
  };
  const format = flags.format ?? (session.flags.json === true ? 'json' : 'md');
  if (format === 'json') out.text(`${printableJson(found)}\n`);
  else out.text(format === 'html' ? toHtml(found) : toMarkdown(found));
}

export type By = 'tag' | 'domain' | 'category' | 'tap';

export interface Group {
  readonly name: string;
  readonly stories: readonly Story[];
}

/** A digest, before it has a form. */
export interface Digest {
  readonly title: string;
  /** ISO-8601 */
  readonly since: string;
  readonly until: string;
  readonly matches: number;
  /** Stories in all; those beyond the limit are in no group. */
  readonly stories: number;
  readonly groups: readonly Group[];
}

/** Groups in order of their size, then of their names. A story is told once, under the first thing it is filed under. */
export function groupsOf(stories: readonly Story[], by: By): Group[] {
  const groups = Map.groupBy(stories, (story) => keyOf(story, by));
  return [...groups]
    .map(([name, some]) => ({ name, stories: some }))
    .sort((one, other) => other.stories.length - one.stories.length || (one.name < other.name ? -1 : 1));
}

function keyOf(story: Story, by: By): string {
  if (by === 'domain') return domainOf(story.url);
  const keys = { tag: story.tags, category: story.categories, tap: story.taps }[by];
  return keys.find((key) => key !== '') ?? 'other';
}

export function toMarkdown(digest: Digest): string {
  const lines = [`# ${inMarkdown(digest.title)}`, '', inMarkdown(about(digest))];
  for (const { name, stories } of digest.groups) {
    lines.push('', `## ${inMarkdown(name)}`, '');
    for (const story of stories) lines.push(...inList(story));
  }
  return `${lines.join('\n')}\n`;
}

function inList({ title, url, excerpt, others }: Story): string[] {
  const also = others.map((other) => `[${inMarkdown(domainOf(other.url))}](${linkInMarkdown(other.url)})`);
  return [
    `- [${inMarkdown(title)}](${linkInMarkdown(url)}) – ${inMarkdown(domainOf(url))}`,
    ...(excerpt === '' ? [] : [`  ${inMarkdown(excerpt)}`]),
    ...(also.length === 0 ? [] : [`  also: ${also.join(', ')}`]),
  ];
}

/** As a page, for a mail too. */
export function toHtml(digest: Digest): string {
  const groups = digest.groups.map(({ name, stories }) => {
    const items = stories.map(itemOf).join('\n');
    return `<h2>${escaped(name)}</h2>\n<ul>\n${items}\n</ul>`;
  });
  const head = `<h1>${escaped(digest.title)}</h1>\n<p class="about">${escaped(about(digest))}</p>`;
  return htmlPage({ title: digest.title, language: 'en', style: STYLE, body: [head, ...groups].join('\n') });
}

const STYLE = `
body { font: 16px/1.5 sans-serif; max-width: 44em; margin: 1em auto; padding: 0 1em; }
li { margin: 0 0 0.8em; } p { margin: 0.2em 0; } .also, .about { color: #555; font-size: 0.9em; }
`;

function itemOf({ title, url, excerpt, others }: Story): string {
  const link = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;
  const also = others.map((other) => link(other.url, domainOf(other.url))).join(', ');
  const said = excerpt === '' ? '' : `<p>${escaped(excerpt)}</p>`;
  const more = also === '' ? '' : `<p class="also">also: ${also}</p>`;
  return `<li>${link(url, title)} <span class="also">${escaped(domainOf(url))}</span>${said}${more}</li>`;
}

function about({ since, until, matches, stories, groups }: Digest): string {
  const told = groups.reduce((sum, group) => sum + group.stories.length, 0);
  const rest = told < stories ? `; the newest ${told} are shown` : '';
  const from = `${since.slice(0, 16).replace('T', ' ')} to ${until.slice(0, 16).replace('T', ' ')} UTC`;
  if (matches === 0) return `${from}: nothing matched`;
  const noun = stories === 1 ? 'story' : 'stories';
  return `${from}: ${grouped(stories)} ${noun} from ${count(matches, 'match').replace(/hs$/, 'hes')}${rest}`;
}

/**
 * Near duplicates as one story: ten newspapers print the same report, and one page has as many addresses as it has been
 * shared in. Same page: an address without what tracks its reader. Same story: a title of some words, or the text that
 * came, nearly.
 */
export interface Story {
  readonly title: string;
  readonly url: string;
  /** Of the newest of them, ISO-8601. */
  readonly at: string;
  /** The beginning of what came, or went. */
  readonly excerpt: string;
  readonly taps: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  /** Matches that it was folded from. */
  readonly matches: number;
  /** The other pages, in the order in which they were found. */
  readonly others: readonly { readonly title: string; readonly url: string }[];
}

/** Characters of an excerpt. */
const EXCERPT = 280;
/** Words that a title has to have to tell a story by, and a text. */
const TITLE_WORDS = 4;
const TEXT_WORDS = 8;
/** Bits in which two texts may differ that are nearly the same: what came is short, and a word of it weighs much. */
const NEAR_BITS = 7;

interface Entry {
  readonly match: Omit<PastMatch, 'chunks'>;
  readonly page: string;
  readonly excerpt: string;
}

/** Matches come in, in any order; stories go out. Of a match is kept what a story needs, and not its text. */
export class Fold {
  readonly #entries: Entry[] = [];
  /** By entry: one that it is the same as, nearer to the first of them; itself, where it is that. */
  readonly #same: number[] = [];
  /** The first entry with a key: an address, a title, a text. */
  readonly #keys = new Map<string, number>();
  /** By a byte of the simhash. */
  readonly #near = new Map<string, { readonly entry: number; readonly hash: string }[]>();

  /** Matches so far. */
  get size(): number {
    return this.#entries.length;
  }

  add({ chunks, ...match }: PastMatch): void {
    const entry = this.#entries.length;
    const page = pageOf(match.url);
    const text = textOf(chunks);
    this.#entries.push({ match: { ...match, title: withoutTags(match.title) }, page, excerpt: shortened(text) });
    this.#same.push(entry);
    const [titled, said] = [wordsOf(match.title), wordsOf(text)];
    this.#join(entry, `page ${page}`);
    if (titled.length >= TITLE_WORDS) this.#join(entry, `title ${titled.join(' ')}`);
    if (said.length >= TEXT_WORDS) this.#join(entry, `text ${hash('sha1', said.join(' '))}`);
    const nearly = simhash(text);
    if (nearly !== undefined) this.#joinNear(entry, nearly);
  }

  /** The newest first. */
  stories(): Story[] {
    const groups = Map.groupBy(this.#entries.keys(), (entry) => this.#first(entry));
    return [...groups.values()]
      .map((entries) => storyOf(entries.flatMap((entry) => this.#entries[entry] ?? [])))
      .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  }

  #join(entry: number, key: string): void {
    const known = this.#keys.get(key);
    if (known === undefined) this.#keys.set(key, entry);
    else this.#unite(known, entry);
  }

  /** Hashes within seven bits have one of their eight bytes in common. */
  #joinNear(entry: number, simhashed: string): void {
    for (let at = 0; at < 16; at += 2) {
      const byte = `${at} ${simhashed.slice(at, at + 2)}`;
      const known = this.#near.get(byte) ?? [];
      const near = known.find((one) => simhashDistance(one.hash, simhashed) <= NEAR_BITS);
      if (near) this.#unite(near.entry, entry);
      else this.#near.set(byte, [...known, { entry, hash: simhashed }]);
    }
  }

  #unite(one: number, other: number): void {
    const [first, second] = [this.#first(one), this.#first(other)].sort((left, right) => left - right);
    if (first !== undefined && second !== undefined) this.#same[second] = first;
  }

  #first(entry: number): number {
    let at = entry;
    for (;;) {
      const next = this.#same[at] ?? at;
      if (next === at) return at;
      this.#same[at] = this.#same[next] ?? next;
      at = next;
    }
  }
}

/** Told by the first page that had it. */
function storyOf(entries: readonly Entry[]): Story {
  const sorted = entries.toSorted((one, other) => (one.match.at < other.match.at ? -1 : 1));
  const pages = new Map(sorted.toReversed().map((one) => [one.page, one]));
  const [lead] = sorted;
  if (!lead) throw new Error('a story of no match');
  const others = [...pages.values()].toReversed().filter(({ page }) => page !== lead.page);
  const all = (pick: (match: Entry['match']) => readonly string[]): string[] => [
    ...new Set(sorted.flatMap(({ match }) => pick(match))),
  ];
  return {
    title: lead.match.title,
    url: lead.match.url,
    at: sorted.at(-1)?.match.at ?? lead.match.at,
    excerpt: sorted.find(({ excerpt }) => excerpt !== '')?.excerpt ?? '',
    taps: all(({ tap }) => [tap]),
    tags: all(({ tags }) => tags),
    categories: all(({ categories }) => categories),
    matches: entries.length,
    others: others.map(({ match: { title, url } }) => ({ title, url })),
  };
}

/** What is one page: without what tracks the reader, the fragment, `www.` and a slash at the end. */
export function pageOf(address: string): string {
  const url = new URL(address);
  const query = [...url.searchParams]
    .filter(([name]) => !isTracking(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const path = url.pathname.replace(/\/+$/, '');
  const search = new URLSearchParams(query).toString();
  return `${url.host.replace(/^www\./, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function textOf(chunks: PastMatch['chunks']): string {
  const inserted = chunks.filter(({ typ }) => typ === 'ins');
  return withoutTags((inserted.length > 0 ? inserted : chunks).map(({ text }) => text).join('\n'));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function shortened(text: string): string {
  const folded = text.replaceAll(/\s+/g, ' ').trim();
  if (folded.length <= EXCERPT) return folded;
  const cut = folded.slice(0, EXCERPT).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > EXCERPT - 40 ? cut.slice(0, space) : cut}…`;
}
