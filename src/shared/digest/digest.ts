import { grouped } from '../grouped.ts';
import { count } from '../text/plural.ts';
import { domainOf } from '../text/printable.ts';
import { utcMinute } from '../text/universal-time.ts';
import type { Fold, Story } from './stories.ts';

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

/** Where the matches of a fold come from. */
export interface DigestFacts {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  /** As `Digest.kept_from`. */
  readonly keptFrom: string | undefined;
  /** Those of the fold that are matches; the others are changes of watches. */
  readonly matches: number;
  /** As `Digest.older_matches`. */
  readonly olderMatches: number;
}

/** @param limit stories at most that are in a group, the newest */
export function digestOf(
  fold: Fold,
  facts: DigestFacts,
  { by, limit }: { readonly by: By; readonly limit: number },
): Digest {
  const stories = fold.stories();
  return {
    title: facts.title,
    since: new Date(facts.since).toISOString(),
    until: new Date(facts.until).toISOString(),
    kept_from: facts.keptFrom ?? null,
    matches: facts.matches,
    watch_changes: fold.size - facts.matches,
    older_matches: facts.olderMatches,
    stories: stories.length,
    groups: groupsOf(stories.slice(0, limit), by),
  };
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

/** `2026-03-01 00:00 to 2026-03-02 00:00 UTC: 3 stories from 12 matches`. */
export function summaryOf(digest: Digest): string {
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

/** What changed: of several changes each with its time, as a line of its own. */
export function changesOf({ changes }: Story): string[] {
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
