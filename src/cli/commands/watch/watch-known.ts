import { isDeepStrictEqual } from 'node:util';
import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import type { WatchBatchReport, WatchOptions, WatchReport } from '../../../shared/api/watch.ts';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { type ExitCode, exitCode } from '../../runtime/exit-code.ts';
import { count } from '../../../shared/text/plural.ts';
import { warn } from '../list-text.ts';
import type { Session } from '../session.ts';
import { type AskedLabels, labelFlags } from './watch-labels.ts';
import { areSameTags } from '../../../shared/api/watch-labels.ts';
import { cadenceWord, optionFlags } from './watch-options.ts';

/** What somebody said of a page; what was not said is no wish. */
export interface Wish {
  readonly minutes?: number | undefined;
  readonly options: Partial<WatchOptions>;
  readonly labels: AskedLabels;
  readonly request?: RequestChange | undefined;
}

type Known = WatchBatchReport['known'][number];

/**
 * URLs that `hydrant watch add` was given and that are watched already. One that is watched as it was asked for is no
 * error, so that a script may be run again; one that was asked for otherwise is not what somebody now believes to have.
 * @param wished by the index in the request
 */
export async function tellKnown(
  session: Session,
  watches: WatchEndpoints | undefined,
  known: readonly Known[],
  wished: (index: number) => Wish,
): Promise<ExitCode> {
  const [first] = known;
  if (first === undefined) return exitCode.ok;
  const { out } = session;
  const hasWish = known.some(({ index }) => isWish(wished(index)));
  const others = watches === undefined || !hasWish ? [] : otherwise(await watches.list(), known, wished);
  const [only] = others;
  if (known.length > 1) {
    out.notice(`${count(known.length, 'URL')} watched already; those watches are unchanged`);
    const sentences = others.map(
      ({ url, flags, edit }) => `${url}: is watched without ${flags}; to change it: ${edit}`,
    );
    warn(session, 'watched_otherwise', sentences);
  } else if (only === undefined) out.notice(`${first.url}: ${first.message}`, 'hydrant watch edit --help');
  else out.notice(`${first.url}: is watched already, without ${only.flags}; nothing was changed`, only.edit);
  return only === undefined ? exitCode.ok : exitCode.refused;
}

function isWish({ minutes, options, labels, request }: Wish): boolean {
  return request !== undefined || minutes !== undefined || Object.keys({ ...options, ...labels }).length > 0;
}

interface Otherwise {
  readonly url: string;
  /** What was asked for and is not so. */
  readonly flags: string;
  /** The command that makes it so. */
  readonly edit: string;
}

function otherwise(
  watches: readonly WatchReport[],
  known: readonly Known[],
  wished: (index: number) => Wish,
): Otherwise[] {
  const byUrl = new Map(watches.map((watch) => [watchedUrl(watch.url), watch]));
  return known.flatMap(({ index, url }) => {
    const watch = byUrl.get(watchedUrl(url));
    if (watch === undefined) return [];
    const flags = missing(watch, wished(index)).join(' ');
    return flags === '' ? [] : [{ url, flags, edit: `hydrant watch edit ${watch.id.slice(0, 8)} ${flags}` }];
  });
}

/** As flags of `watch add` and `watch edit`. */
function missing(watch: WatchReport, { minutes, options, labels: { title, tags }, request }: Wish): string[] {
  const names = Object.keys(options) as (keyof WatchOptions)[];
  const others = names.filter((name) => !isDeepStrictEqual(options[name], watch.options[name]));
  const isOther = minutes !== undefined && minutes !== watch.frequency_minutes;
  const labels = {
    ...(title !== undefined && title !== watch.title && { title }),
    ...(tags !== undefined && !areSameTags(tags, watch.tags ?? []) && { tags }),
  };
  return [
    ...labelFlags(labels),
    ...(isOther ? [`--every ${cadenceWord(minutes)}`] : []),
    ...missingHeaders(watch, request).map((name) => `--header ${name}`),
    ...optionFlags(Object.fromEntries(others.map((name) => [name, options[name]]))),
  ];
}

/** Names of those that it does not have; whether others have the values that were asked for, nobody can tell. */
function missingHeaders({ request }: WatchReport, asked: RequestChange | undefined): string[] {
  return Object.keys(asked?.headers ?? {}).filter((name) => request?.headers.includes(name) !== true);
}
