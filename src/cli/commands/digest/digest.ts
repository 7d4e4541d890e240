import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Action, Session } from '../session.ts';
import { countUpTo, upToRetention } from '../option-values.ts';
import { domainOf, printableJson } from '../../text/printable.ts';
import { escaped, htmlPage, inMarkdown, linkInMarkdown } from '../../changes/markup.ts';
import { count } from '../../text/plural.ts';
import { utcMinute } from '../../text/time.ts';
import { grouped } from '../../../shared/grouped.ts';
import { Fold, type Story } from './stories.ts';

const ABOUT = `
One story is one page with all its changes, newest first; pages with the same
text are one story, too. Made for cron and mail:
  0 7 * * *  hydrant digest --format html --quiet-when-empty | mail …
`;

/** `hydrant digest`: what matched, for people, once a day: the matches of some taps as one document, near duplicates grouped. */
export function digestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('digest'),
    'hydrant digest',
    'hydrant digest news jobs --since 12h --by domain',
    'hydrant digest news --watches --since 7d --format html > week.html',
    'hydrant digest --rule linux',
  )
    .description('the matches of a day or more as one document, near duplicates grouped')
    .argument('[tap...]', 'names or ids of taps; none: all')
    .addOption(new Option('--since <time>', 'how far back, such as 7d').argParser(upToRetention).default(86_400, '24h'))
    .addOption(
      new Option('--by <what>', 'how the stories are grouped')
        .choices(['tag', 'domain', 'category', 'tap'] as const)
        .default('tag' as const),
    )
    .addOption(
      new Option('--format <form>', 'Markdown (the default), a page, or JSON').choices(['md', 'html', 'json'] as const),
    )
    .addOption(new Option('--limit <count>', 'stories at most, the newest').argParser(countUpTo(10_000)).default(200))
    .option('--watches', 'with the changes of watches; of no tap where there is none')
    .option('--rule <rule>', 'what this rule, as it is now, matches among the changes of the last 24h')
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
  readonly watches?: boolean | undefined;
  /** Replayed from the changes that are kept; instead of the logs of taps. */
  readonly rule?: string | undefined;
  readonly title?: string | undefined;
  readonly quietWhenEmpty?: true | undefined;
}

export async function digest(session: Session, wanted: readonly string[], flags: DigestFlags): Promise<void> {
  const { context, out } = session;
  const now = context.now();
  const fold = new Fold();
  const { names, matches, olderMatches, keptFrom } = await (flags.rule === undefined
    ? gather(session, wanted, flags, fold)
    : gatherReplayed(session, wanted, { ...flags, rule: flags.rule }, fold));
  if (context.closed?.aborted === true) return;
  if (fold.size === 0 && flags.quietWhenEmpty === true) return;
  const stories = fold.stories();
  const found: Digest = {
    title: flags.title ?? titleOf(names),
    since: new Date(now - flags.since * 1_000).toISOString(),
    until: new Date(now).toISOString(),
    kept_from: keptFrom ?? null,
    matches,
    watch_changes: fold.size - matches,
    older_matches: olderMatches,
    stories: stories.length,
    groups: groupsOf(stories.slice(0, flags.limit), flags.by),
  };
  const format = flags.format ?? (session.flags.json === true ? 'json' : 'md');
  if (format === 'json') out.text(`${printableJson(found)}\n`);
  else out.text(format === 'html' ? toHtml(found) : toMarkdown(found));
}

interface Gathered {
  /** Of the taps, and of the watches where they are in it. */
  readonly names: readonly string[];
  readonly matches: number;
  readonly olderMatches: number;
  /** As `Digest.kept_from`. */
  readonly keptFrom: string | undefined;
}

/** Into `fold`, and what is known of where it comes from. */
async function gather(
  session: Session,
  wanted: readonly string[],
  { since, watches = false }: DigestFlags,
  fold: Fold,
): Promise<Gathered> {
  // The client of streams is for who makes a digest, and not for who asks for help.
  const { eachPastChange, eachPastMatch, tapsNamed, tellShort } = await import('../past-matches.ts');
  const taps = await tapsNamed(session, wanted, watches);
  const most = Math.ceil(MOST_MATCHES / taps.length);
  const reaches = await Promise.all(
    taps.map((tap) => eachPastMatch(session, tap, { seconds: since, most }, (match) => fold.add(match))),
  );
  const matches = fold.size;
  if (watches) await eachPastChange(session, since, (change) => fold.add(change));
  // Of several taps, all are complete since the last of these.
  const keptFrom = reaches
    .flatMap((reach) => reach.keptFrom ?? [])
    .toSorted()
    .at(-1);
  if (keptFrom !== undefined) tellShort(session.out, keptFrom);
  const names = [...taps.flatMap(({ tap }) => tap?.name ?? []), ...(watches ? ['watches'] : [])];
  return { names, matches, olderMatches: reaches.reduce((sum, { passedOver }) => sum + passedOver, 0), keptFrom };
}

function titleOf(names: readonly string[]): string {
  return names.length > 0 ? `hydrant: ${names.join(', ')}` : 'hydrant';
}

/** Matches that one digest is made of: some kilobytes each are held until it is written. */
const MOST_MATCHES = 100_000;

/** What a rule matches now: also what a filter kept from it when it happened. */
async function gatherReplayed(
  session: Session,
  wanted: readonly string[],
  { rule: name, since, watches = false }: DigestFlags & { readonly rule: string },
  fold: Fold,
): Promise<Gathered> {
  if (wanted.length > 0) throw new UsageError('--rule replays one rule; leave the taps out');
  if (watches) throw new UsageError('--rule replays one rule; leave --watches out');
  const { matchOf } = await import('../past-matches.ts');
  const { replayed } = await import('../rule/kept-matches.ts');
  const { placed, updates } = await replayed(session, name, since);
  const label = placed.rule.tag ?? placed.rule.value;
  for await (const update of updates) {
    const match = matchOf(update, [label], placed.tap?.name ?? '');
    if (match) fold.add(match);
  }
  return { names: [label], matches: fold.size, olderMatches: 0, keptFrom: undefined };
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
  /** The time from which on all matches are kept, where that is later than `since`; else null. */
  readonly kept_from: string | null;
  readonly matches: number;
  /** Changes of watches; 0 where none were asked for. */
  readonly watch_changes: number;
  /** Matches of that time that are not in it, since there are too many; the newest are. */
  readonly older_matches: number;
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

function inList(story: Story): string[] {
  const { title, url, others } = story;
  const changes = changeLines(story);
  const also = others.map((other) => `[${inMarkdown(domainOf(other.url))}](${linkInMarkdown(other.url)})`);
  return [
    `- [${inMarkdown(title)}](${linkInMarkdown(url)}) – ${inMarkdown(domainOf(url))}`,
    ...changes.map((line) => `  ${changes.length > 1 ? '- ' : ''}${inMarkdown(line)}`),
    ...(also.length === 0 ? [] : [`  also: ${also.join(', ')}`]),
  ];
}

/** What changed: of several changes each with its time, as a line of its own. */
function changeLines({ changes }: Story): string[] {
  const told = changes.filter(({ excerpt }) => excerpt !== '');
  if (told.length <= 1) return told.map(({ excerpt }) => excerpt);
  const shown = told
    .slice(0, SHOWN_CHANGES)
    .map(({ at, excerpt }) => `${at.slice(5, 19).replace('T', ' ')}: ${excerpt}`);
  const rest = told.length - shown.length;
  return rest > 0 ? [...shown, `and ${count(rest, 'earlier change')}`] : shown;
}

/** Changes of one story in a document for people; JSON has all. */
const SHOWN_CHANGES = 20;

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

function itemOf(story: Story): string {
  const { title, url, others } = story;
  const link = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;
  const also = others.map((other) => link(other.url, domainOf(other.url))).join(', ');
  const said = changeLines(story)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');
  const more = also === '' ? '' : `<p class="also">also: ${also}</p>`;
  return `<li>${link(url, title)} <span class="also">${escaped(domainOf(url))}</span>${said}${more}</li>`;
}

function about(digest: Digest): string {
  const { since, until, kept_from: keptFrom, older_matches: older, stories, groups } = digest;
  const told = groups.reduce((sum, group) => sum + group.stories.length, 0);
  const left = older > 0 ? `; ${grouped(older)} older ones are left out` : '';
  const rest = `${left}${told < stories ? `; the newest ${told} are shown` : ''}`;
  const short = keptFrom === null ? '' : `; matches from before ${utcMinute(keptFrom)} are no longer kept`;
  const from = `${since.slice(0, 16).replace('T', ' ')} to ${utcMinute(until)}`;
  if (stories === 0) return `${from}: nothing matched${short}`;
  return `${from}: ${count(stories, 'story')} from ${sources(digest)}${rest}${short}`;
}

function sources({ matches, watch_changes: changes }: Digest): string {
  const matched = count(matches, 'match');
  const changed = `${count(changes, 'change')} of watches`;
  if (changes === 0) return matched;
  return matches === 0 ? changed : `${matched} and ${changed}`;
}
