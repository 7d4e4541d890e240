import { SINK_PROBLEM_FAILURES } from '../../../shared/limits.ts';
import type { SinkCreation, SinkReport } from '../../../shared/api/notify.ts';
import { atMostFault, digestFault, quietFault, templateFault, zoneFault } from '../../../shared/api/notify-settings.ts';
import { tagsFault, uniqueTags } from '../../../shared/api/watch-labels.ts';
import { misspelled } from '../../../shared/query/suggest/misspelling.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { count } from '../../../shared/text/plural.ts';
import { invalidQuery } from '../query-report.ts';

/**
 * What a sink carries and when it sends, as words of the command line and of files, and in sentences. The words are the
 * same in both: `none` takes a setting away.
 */
export interface SettingWords {
  /** `a,b`, `all`, `none`. */
  readonly taps?: string | undefined;
  readonly query?: string | undefined;
  /** `all`, `none`, `tag:x,y`. */
  readonly watches?: string | undefined;
  /** `3`, `none`. */
  readonly problems?: string | undefined;
  readonly digest?: string | undefined;
  readonly quiet?: string | undefined;
  readonly zone?: string | undefined;
  readonly atMost?: string | undefined;
  readonly format?: string | undefined;
}

export type Settings = Pick<
  SinkCreation,
  'taps' | 'query' | 'watches' | 'problems' | 'digest' | 'quiet' | 'zone' | 'at_most' | 'template'
>;

/** What a word of a setting is called where it is refused: `--at-most`, or `` `at_most` `` of a file. */
export type NameOf = (setting: keyof SettingWords) => string;

/**
 * Only what was said; its query is checked by `checkQuery`.
 * @throws {UsageError} for the first that the daemon would refuse, with the name of the setting
 */
export function settingsOf(words: SettingWords, nameOf: NameOf): Settings {
  const { taps, query, watches, problems, digest, quiet, zone, atMost, format } = words;
  if (zone !== undefined) checkZone(zone, nameOf('zone'));
  return {
    ...(taps !== undefined && { taps: tapsOf(taps, nameOf('taps')) }),
    ...(query !== undefined && { query: query === NONE ? null : query }),
    ...(watches !== undefined && { watches: watchesOf(watches, nameOf('watches')) }),
    ...(problems !== undefined && { problems: problemsOf(problems, nameOf('problems')) }),
    ...(digest !== undefined && { digest: checked(digest, nameOf('digest'), digestFault) }),
    ...(quiet !== undefined && { quiet: checked(quiet, nameOf('quiet'), quietFault) }),
    ...(zone !== undefined && { zone }),
    ...(atMost !== undefined && { at_most: checked(atMost, nameOf('atMost'), atMostFault) }),
    ...(format !== undefined && { template: checked(format, nameOf('format'), templateFault) }),
  };
}

export const NONE = 'none';

function checked(text: string, name: string, fault: (text: string) => string | undefined): string | null {
  if (text === NONE) return null;
  refuse(name, text, fault(text));
  return text;
}

function refuse(name: string, text: string, fault: string | undefined): void {
  if (fault !== undefined) throw new UsageError(`${name} ${fault}; \`${text}\` is not`);
}

function listed(text: string): string[] {
  return [...new Set(text.split(',').map((one) => one.trim()))].filter((one) => one !== '');
}

function checkZone(zone: string, name: string): void {
  const fault = zoneFault(zone);
  if (fault === undefined) return;
  const zones = Intl.supportedValuesOf('timeZone');
  const city = zone.toLowerCase().replaceAll(' ', '_');
  const near = zones.find((one) => one.toLowerCase().endsWith(`/${city}`)) ?? misspelled(zone, zones);
  const hint = near === undefined ? 'the zone of this machine: timedatectl' : `did you mean ${near}?`;
  throw new UsageError(`${name} ${fault}; \`${zone}\` is not`, { hint });
}

function tapsOf(text: string, name: string): NonNullable<Settings['taps']> {
  if (text === 'all') return text;
  if (text === NONE) return [];
  const names = listed(text);
  if (names.length === 0) throw new UsageError(`${name} must be all, none, or names of taps with commas between them`);
  return names;
}

function watchesOf(text: string, name: string): NonNullable<Settings['watches']> {
  if (text === 'all' || text === NONE) return text;
  const tags = text.startsWith('tag:') ? uniqueTags(listed(text.slice('tag:'.length))) : [];
  if (tags.length === 0) {
    throw new UsageError(`${name} must be all, none, or tag:a,b; \`${text}\` is not`, {
      hint: `changes of the watches with one of these tags: ${name} tag:${listed(text)[0] ?? 'shop'}`,
    });
  }
  const fault = tagsFault(tags);
  if (fault !== undefined) throw new UsageError(`${name} ${fault}`);
  return { tags };
}

function problemsOf(text: string, name: string): NonNullable<Settings['problems']> | null {
  if (text === NONE) return null;
  const after = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (after >= 1 && after <= SINK_PROBLEM_FAILURES.most) return { after };
  throw new UsageError(
    `${name} must be none, or failures in a row from 1 to ${SINK_PROBLEM_FAILURES.most}; \`${text}\` is not`,
  );
}

/**
 * Only who says one pays for what reads queries. A saved filter that it names is the daemon's to know.
 * @throws {Failure} with the place in the query
 */
export async function checkQuery({ query }: Settings, nameOf: NameOf): Promise<void> {
  if (query === undefined || query === null) return;
  const { validate } = await import('../../../shared/query/validate.ts');
  const wrong = validate(query).diagnostics.filter(({ code }) => code !== 'filter_not_allowed');
  if (!wrong.some(({ severity }) => severity === 'error')) return;
  const { code, exitCode, message, details } = invalidQuery(wrong, query);
  throw new Failure(code, exitCode, `${nameOf('query')}: ${message}`, details);
}

/** `matches of news, jobs; changes of all watches; problems after 3 failures in a row`. */
export function carriedWords({ taps, query, watches, problems }: SinkReport): string[] {
  const narrowed = query === null ? '' : ` that match ${query}`;
  const nothing = taps !== 'all' && taps.length === 0;
  const of = taps === 'all' ? 'all taps' : taps.map(({ name }) => name).join(', ');
  return [
    ...(nothing ? [] : [`matches of ${of}${narrowed}`]),
    ...(watches === NONE ? [] : [`changes of ${watchWords(watches)}`]),
    ...(problems === null ? [] : [`problems after ${count(problems.after, 'failure')} in a row, and their end`]),
  ];
}

function watchWords(watches: Exclude<SinkReport['watches'], 'none'>): string {
  if (watches === 'all') return 'all watches';
  return `watches with the ${watches.tags.length === 1 ? 'tag' : 'tags'} ${watches.tags.join(' or ')}`;
}

/** `every 1h`, `daily at 08:00 (Europe/Berlin)`, `as it comes`; and what holds it back. */
export function rhythmWords({ digest, quiet, zone, at_most: most }: SinkReport): string[] {
  const isDaily = digest?.includes(':') === true;
  const often = digest === null ? 'as it comes' : `one digest ${isDaily ? `daily at ${digest}` : `every ${digest}`}`;
  return [
    often,
    ...(quiet === null ? [] : [`nothing from ${quiet.replace('-', ' to ')}`]),
    ...(most === null ? [] : [`at most ${most}, the last of them with all that waits`]),
    ...(quiet === null && !isDaily ? [] : [`clock of ${zone}`]),
  ];
}

/** Settings of a sink of which nothing was said; its zone is that of the daemon's machine. */
export const AS_NEW = {
  taps: 'all',
  query: null,
  watches: 'all',
  problems: { after: SINK_PROBLEM_FAILURES.default },
  digest: null,
  quiet: null,
  at_most: null,
  template: null,
} as const satisfies Settings;

/** What a file says of a sink, as `settingsOf` reads it. What is as of a new sink is left out. */
export function writtenSettings(sink: SinkReport): object {
  const { taps, watches, problems, digest } = sink;
  const written = {
    taps: taps === 'all' ? undefined : taps.length === 0 ? NONE : taps.map(({ name }) => name),
    query: sink.query,
    watches: watches === 'all' ? undefined : watchesWord(watches),
    problems: problems?.after === AS_NEW.problems.after ? undefined : (problems?.after ?? NONE),
    digest,
    quiet: sink.quiet,
    // Without these it says nothing.
    zone: sink.quiet !== null || digest?.includes(':') === true ? sink.zone : undefined,
    at_most: sink.at_most,
    template: sink.template,
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined && value !== null));
}

function watchesWord(watches: SinkReport['watches']): string {
  return typeof watches === 'string' ? watches : `tag:${watches.tags.join(',')}`;
}
