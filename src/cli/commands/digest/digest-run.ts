import { printableJson } from '../../text/printable.ts';
import { Fold, type Story } from './digest-fold.ts';
import { eachPastMatch, tapsNamed } from '../past-matches.ts';
import type { Session } from '../session.ts';
import { escaped, htmlPage, inMarkdown, linkInMarkdown } from '../../changes/markup.ts';
import { domainOf } from '../../text/match-text.ts';
import { count } from '../../text/plural.ts';

/** As digest.ts declares them. */
interface DigestFlags {
  /** Seconds. */
  readonly since: number;
  readonly by: By;
  readonly format?: 'md' | 'html' | 'json' | undefined;
  readonly limit: number;
  readonly title?: string | undefined;
  readonly quietWhenEmpty?: true | undefined;
}

/** `hydrant digest`: the matches of some taps as one document, near duplicates grouped. */
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
  const rest = told < stories ? `, of which the newest ${told} are told` : '';
  const from = `${since.slice(0, 16).replace('T', ' ')} to ${until.slice(0, 16).replace('T', ' ')} UTC`;
  if (matches === 0) return `${from}: nothing matched`;
  const noun = stories === 1 ? 'story' : 'stories';
  return `${from}: ${stories.toLocaleString('en')} ${noun} from ${count(matches, 'match').replace(/hs$/, 'hes')}${rest}`;
}
