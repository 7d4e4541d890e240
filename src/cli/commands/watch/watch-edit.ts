import type { WatchEdit } from '../../../shared/api/watch.ts';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import type { RequestFlags } from '../request-flags.ts';
import { isForOneSite, requestOf, requestWords } from '../request-order.ts';
import type { SeenWatch } from '../../client/watches.ts';
import { UsageError } from '../../runtime/failure.ts';
import { confirm, type Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { askedLabels, type AskedLabels, type LabelFlags, labelWords } from './watch-labels.ts';
import { findWatches, openWatches, operatorOnly } from './watch-names.ts';
import { cadenceWord, checkOptions, type OptionFlags, optionsOf, withPaths } from './watch-options.ts';

/** What `hydrant watch <verb>` changes of watches that there are. */
export async function setStatus(
  session: Session,
  wanted: readonly string[],
  status: SeenWatch['status'],
): Promise<void> {
  const { keeping } = await openWatches(session);
  const words = status === 'paused' ? 'is paused' : 'is checked again';
  for (const { id, url } of findWatches(await keeping.list(), wanted)) {
    const changed = await keeping.change(id, { status });
    session.out.done(changed, { id, notice: `${url} ${words}` });
  }
}

interface EditFlags extends OptionFlags, LabelFlags, RequestFlags {
  /** Minutes. */
  readonly every?: number | undefined;
}

export async function editWatches(session: Session, wanted: readonly string[], given: EditFlags): Promise<void> {
  const flags = await withPaths(given);
  const request = await requestOf(session, flags);
  const asked = { ...editOf(flags, request), ...(request && { request }) };
  await checkOptions(flags);
  const opened = await openWatches(session);
  const watches = findWatches(await opened.keeping.list(), wanted);
  checkCommon(asked, watches);
  const only = operatorsPart(asked);
  const change =
    only === undefined
      ? async (id: string) => opened.keeping.change(id, asked)
      : async (id: string) => operatorOnly(opened, only).change(id, asked);
  for (const { id, url } of watches) {
    const changed: SeenWatch = await change(id);
    session.out.done(changed, {
      id,
      notice: `${url}: ${editWords(changed, asked)}`,
      next: `hydrant watch show ${id.slice(0, 8)}`,
    });
  }
}

/** @throws {UsageError} for what one watch can have, and these cannot have together */
function checkCommon({ title, request }: AskedEdit, watches: readonly { readonly url: string }[]): void {
  if (typeof title === 'string' && watches.length > 1) {
    throw new UsageError(`--title names one watch, and these are ${watches.length}`);
  }
  if (!request || !isForOneSite(request)) return;
  if (new Set(watches.map(({ url }) => URL.parse(url)?.origin)).size > 1) {
    throw new UsageError('headers, cookies and bodies are for one site, and these watches are of several');
  }
}

/** What of it only the operator may change; undefined where nothing is. */
function operatorsPart({ request, options, title, tags }: AskedEdit): string | undefined {
  if (request !== undefined || options !== undefined) return 'what counts of a page, and how it is asked for';
  return title !== undefined || tags !== undefined ? 'a title or a tag' : undefined;
}

type AskedEdit = Pick<WatchEdit, 'frequency_minutes' | 'options' | 'request'> & AskedLabels;

/** @throws {UsageError} where nothing is to be changed */
function editOf({ every, title, tag, tags, ...said }: EditFlags, request: RequestChange | undefined): AskedEdit {
  const options = optionsOf(said);
  const asked = {
    ...(every !== undefined && { frequency_minutes: every }),
    ...(Object.keys(options).length > 0 && { options }),
    ...askedLabels({ title, tag, tags }),
  };
  if (request || Object.keys(asked).length > 0) return asked;
  throw new UsageError(
    'nothing to change: give --every, --select, --ignore, --only, --trigger, --confirm, --title, --tag, --cookie or --header',
    { hint: '--no-select and the like reset an option' },
  );
}

function editWords(changed: SeenWatch, { frequency_minutes: every, options, title, tags, request }: AskedEdit): string {
  const labels = [
    ...(title === undefined
      ? []
      : labelWords({ title: changed.title ?? null }).concat(title === null ? 'no title' : [])),
    ...(tags === undefined ? [] : labelWords({ tags: changed.tags ?? [] }).concat(tags.length === 0 ? 'no tags' : [])),
  ];
  const isChecked = every !== undefined || options !== undefined;
  const asks = request ? [requestWords(changed.request).join(', ') || 'asked for as all pages are'] : [];
  return [...labels, ...asks, ...(isChecked ? [checkedWords(changed, options !== undefined)] : [])].join(', ');
}

function checkedWords(changed: SeenWatch, hasOptions: boolean): string {
  const slower = changed.effective_minutes ?? changed.frequency_minutes;
  const plan = slower > changed.frequency_minutes ? ` (every ${cadenceWord(slower)} by the plan)` : '';
  const rhythm = `every ${cadenceWord(changed.frequency_minutes)}${plan}`;
  return hasOptions ? `${rhythm}; the next check applies the new options to the previous version, too` : rhythm;
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
export async function removeWatches(session: Session, wanted: readonly string[]): Promise<void> {
  const { keeping } = await openWatches(session);
  const watches = findWatches(await keeping.list(), wanted);
  await confirm(session, `Stop watching ${named(watches)}? ${lost(watches)}`);
  for (const { id, url } of watches) {
    await keeping.remove(id);
    session.out.done({ id, url, removed: true }, { id, notice: `${url} is no longer watched` });
  }
}

function named(watches: readonly SeenWatch[]): string {
  return watches.length === 1 ? watches.map(({ url }) => url).join('') : count(watches.length, 'page');
}

export function lost(watches: readonly SeenWatch[]): string {
  const changes = watches.reduce((sum, watch) => sum + watch.change_count, 0);
  return `${count(changes, 'change')} and all kept texts are deleted permanently.`;
}
