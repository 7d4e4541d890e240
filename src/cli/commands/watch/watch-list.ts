import { grouped } from '../../../shared/grouped.ts';
import type { WatchReport } from '../../../shared/api/watch.ts';
import { checkStrip } from '../../changes/checks.ts';
import type { SeenWatch } from '../../client/watches.ts';
import { UsageError } from '../../runtime/failure.ts';
import { type Field, wantsColour } from '../../runtime/output.ts';
import type { Column } from '../../text/table.ts';
import { duration, relative } from '../../text/time.ts';
import { canShow, type Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { hasTags, knownTags, tagWords } from './watch-labels.ts';
import { findWatch, type OpenedWatches, openWatches, operatorOnly } from './watch-names.ts';
import { requestWords } from '../request-order.ts';
import { cadenceWord, optionWords } from './watch-options.ts';

/** `hydrant watch list`, `show` and `screen`: how watches are doing, those that fail first. */
interface ListFlags {
  readonly failing?: true | undefined;
  readonly changed?: true | undefined;
  /** Only those that have all of them. */
  readonly tag?: readonly string[] | undefined;
}

export async function listWatches(session: Session, flags: ListFlags): Promise<void> {
  const { out } = session;
  const opened = await openWatches(session);
  for (const name of ['failing', 'changed', 'tag'] as const) if (flags[name]) operatorOnly(opened, `--${name}`);
  const all = await opened.keeping.list();
  const wanted = (watch: SeenWatch): boolean =>
    (flags.failing !== true || (watch.problem ?? null) !== null) &&
    (flags.changed !== true || (watch.unseen ?? 0) > 0) &&
    hasTags(watch, flags.tag ?? []);
  const listed = sorted(all.filter(wanted));
  out.list(listed, {
    id: ({ id }) => id,
    columns: watchColumns(out, listed),
    none: all.length === 0 ? 'nothing is watched yet; watch a page with: hydrant watch add <url>' : noneOf(all, flags),
  });
  if (opened.operator === undefined && all.length > 0) out.notice(LESS);
}

const LESS =
  'a management key cannot see failures and due times; to see them from here: hydrant context add NAME ssh://user@host';

function noneOf(all: readonly SeenWatch[], { failing, changed, tag = [] }: ListFlags): string {
  const words = [
    ...(failing === true ? ['is failing'] : []),
    ...(changed === true ? ['has an unseen change'] : []),
    ...(tag.length > 0 ? [`has ${tagWords(tag)}`] : []),
  ];
  const known = all.some((watch) => hasTags(watch, tag)) ? undefined : knownTags(all);
  return [`none of ${count(all.length, 'watch')} ${words.join(' and ')}`, ...(known === undefined ? [] : [known])].join(
    '; ',
  );
}

/** Failing, held, active, paused; among equals as the daemon has them, the newest first. */
function sorted(watches: readonly SeenWatch[]): SeenWatch[] {
  return watches.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ status, problem, held }: SeenWatch): number {
  if (status === 'paused') return 3;
  if (problem) return 0;
  return held ? 1 : 2;
}

/**
 * On a terminal the title stands before the address; in a pipe titles and tags come last, behind what was there before
 * there were any, and only where a watch has one.
 */
export function watchColumns(
  { now, forPeople }: Pick<Session['out'], 'now' | 'forPeople'>,
  watches: readonly SeenWatch[],
): Column<SeenWatch>[] {
  const title: Column<SeenWatch> = { title: 'title', show: (watch) => watch.title ?? '', least: TITLE_WIDTH };
  const tags: Column<SeenWatch> = { title: 'tags', show: (watch) => (watch.tags ?? []).join(', '), spare: 6 };
  const facts = factColumns(now);
  if (!forPeople) return watches.some((one) => one.title ?? one.tags) ? [...facts, title, tags] : facts;
  const [id, ...others] = facts;
  return [...(id ? [id] : []), title, ...others, tags];
}

function factColumns(now: number): Column<SeenWatch>[] {
  const time = (at: string | null | undefined): string => (at ? inOneUnit(relative(at, now)) : '');
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id, least: 8 },
    { title: 'url', show: ({ url }) => url, least: URL_WIDTH },
    { title: 'status', show: statusWord },
    { title: 'every', show: rhythm, plain: (watch) => cadenceWord(watch.frequency_minutes), spare: 4 },
    { title: 'next', show: (watch) => nextCheck(watch, now), plain: (watch) => watch.next_check_at ?? '', spare: 2 },
    {
      title: 'success',
      show: (watch) => (watch.last_success_at === null ? 'none yet' : time(watch.last_success_at)),
      plain: (watch) => watch.last_success_at ?? '',
      spare: 3,
    },
    {
      title: 'checked',
      show: (watch) => (watch.last_success_at === undefined ? time(watch.last_checked_at) || 'not yet' : ''),
      plain: (watch) => watch.last_checked_at ?? '',
    },
    { title: 'changes', show: (watch) => String(watch.change_count), align: 'right', spare: 5 },
    {
      title: 'unseen',
      show: ({ unseen = 0 }) => (unseen === 0 ? '' : String(unseen)),
      plain: ({ unseen }) => String(unseen ?? ''),
      align: 'right',
      spare: 1,
    },
  ];
}

/** Of an address: its host, and the beginning of a path. */
const URL_WIDTH = 22;
const TITLE_WIDTH = 16;

/** `in 6 h` of `in 6 h 26 m`: a list is read down, and `show` tells it to the minute. */
function inOneUnit(time: string): string {
  return time.replace(/(\d [dhm]) \d+ [hms]/, '$1');
}

/** `ok`, `new`, `paused`, `no checks left`, or why it fails. Who does not see whether it fails is not told that it is well. */
function statusWord(watch: SeenWatch): string {
  if (watch.status === 'paused' || !isReport(watch)) return watch.status;
  if (watch.problem) return `failing: ${watch.problem.reason}`;
  if (watch.held) return 'no checks left';
  return watch.last_checked_at === null ? 'new' : 'ok';
}

function rhythm({ frequency_minutes: asked, effective_minutes: effective = asked }: SeenWatch): string {
  return effective > asked ? `${cadenceWord(asked)} (plan: ${cadenceWord(effective)})` : cadenceWord(asked);
}

function nextCheck({ next_check_at: next }: SeenWatch, now: number): string {
  if (!next) return '';
  return Date.parse(next) <= now ? 'now' : inOneUnit(relative(next, now));
}

export async function showWatch(session: Session, wanted: string): Promise<void> {
  const { out } = session;
  const opened = await openWatches(session);
  const { id } = findWatch(await opened.keeping.list(), wanted);
  const watch = await opened.keeping.show(id);
  const time = (at: string): string => (out.forPeople ? relative(at, out.now) : at);
  const fields: readonly Field[] = [
    ['id', watch.id],
    ...(watch.title === undefined ? [] : [['title', watch.title] satisfies Field]),
    ['url', watch.url],
    ...(watch.tags === undefined ? [] : [['tags', watch.tags.join(', ')] satisfies Field]),
    ['status', statusWord(watch)],
    ['every', rhythm(watch)],
    ['checked', watch.last_checked_at === null ? 'not yet' : time(watch.last_checked_at)],
    ['changes', grouped(watch.change_count)],
    ['created', time(watch.created_at)],
    ...(isReport(watch) ? reportFields(watch, time) : []),
    ...(await stripOf(session, opened, watch)),
  ];
  out.fields(watch, { id: watch.id, fields });
  tellNext(session, opened, watch);
}

/** The newest checks at a glance, for people. */
async function stripOf(session: Session, opened: OpenedWatches, watch: SeenWatch): Promise<[string, string][]> {
  const { out } = session;
  const { operator } = opened;
  const { id } = watch;
  if (operator === undefined) {
    const { ownHistory } = await import('./watch-own.ts');
    const time = (at: string): string => (out.forPeople ? relative(at, out.now) : at);
    return ownHistory(session, opened.own, watch, { strip: STRIP, time });
  }
  if (!out.forPeople) return [];
  const checks = await operator.checks(id, { limit: STRIP });
  return checks.length === 0 ? [] : [['newest', checkStrip(checks, STRIP)]];
}

/** Checks of which a mark is shown. */
const STRIP = 60;

function isReport(watch: SeenWatch): watch is WatchReport {
  return watch.options !== undefined;
}

function reportFields(watch: WatchReport, time: (at: string) => string): [string, string][] {
  const { problem, last_change: change } = watch;
  const failures =
    problem && problem.failures > 1 ? `, ${count(problem.failures, 'time')} since ${time(problem.since)}` : '';
  return [
    ['next', watch.next_check_at === null ? 'none' : time(watch.next_check_at)],
    ['last success', watch.last_success_at === null ? 'none yet' : time(watch.last_success_at)],
    ...(change === null ? [] : [['last change', `${time(change.at)}, check ${change.n}`] satisfies [string, string]]),
    ['checks', grouped(watch.checks)],
    ['unseen', grouped(watch.unseen)],
    ['member', watch.member],
    ...optionWords(watch.options).map((words): [string, string] => ['option', words]),
    ...requestWords(watch.request).map((words): [string, string] => ['request', words]),
    ...(problem === null
      ? []
      : [['problem', `${problem.reason}: ${problem.detail}${failures}`] satisfies [string, string]]),
  ];
}

function tellNext({ out }: Session, { operator }: OpenedWatches, watch: SeenWatch): void {
  const id = watch.id.slice(0, 8);
  if (operator === undefined) return out.notice(LESS);
  if (!out.forPeople) return;
  if (watch.held) return out.notice('the monthly quota of checks is used up', 'hydrant usage');
  if (watch.problem) return out.notice(failing(watch, out.now), `hydrant watch explain ${id}`);
  if ((watch.unseen ?? 0) > 0) out.notice(`${count(watch.unseen ?? 0, 'change')} unseen`, `hydrant watch diff ${id}`);
}

function failing({ problem, last_success_at: at }: SeenWatch, now: number): string {
  const since = problem ? `failing for ${duration(now - Date.parse(problem.since))}` : 'failing';
  return at ? `${since}; later checks still compare with the last good version` : since;
}

/** `hydrant watch screen`: the watches on a terminal, what changed last first, and the change beside. */
export async function showScreen(session: Session): Promise<void> {
  const { context, flags, connect } = session;
  if (!canShow(session)) {
    throw new UsageError('the screen needs a terminal', { try: 'hydrant watch list' });
  }
  const { client, connection } = await connect();
  // Who prints a list does without the screen's parts.
  const { WatchesController } = await import('../../screens/watches-controller.ts');
  const { initialWatches } = await import('../../screens/watches-model.ts');
  const { browse } = await import('../../runtime/child-processes.ts');
  const model = initialWatches({ label: connection.label, watches: await client.watches.list(), now: context.now() });
  const controller = new WatchesController({
    watches: client.watches,
    model,
    now: context.now,
    browse: (url) => browse(url, context.environment, process.platform),
  });
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { inProduction } = await import('../../screens/production.ts');
  const { showWatches } = await inProduction(async () => import('../../screens/WatchesScreen.tsx'));
  await showWatches({ context, controller, colour: wantsColour(context.io.stdout, context.environment, flags) });
}
