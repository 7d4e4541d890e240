import type { WatchEdit } from '../../../shared/api/watch.ts';
import type { SeenWatch } from '../../client/watches.ts';
import { UsageError } from '../../runtime/failure.ts';
import { confirm, type Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { findWatches, openWatches, operatorOnly } from './watch-names.ts';
import { cadenceWord, checkOptions, type OptionFlags, optionsOf } from './watch-options.ts';

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

interface EditFlags extends OptionFlags {
  /** Minutes. */
  readonly every?: number | undefined;
}

export async function editWatches(session: Session, wanted: readonly string[], flags: EditFlags): Promise<void> {
  const { every, ...said } = flags;
  const options = optionsOf(said);
  const hasOptions = Object.keys(options).length > 0;
  if (every === undefined && !hasOptions) {
    throw new UsageError('nothing to change: give --every, --select, --ignore, --only, --trigger or --confirm', {
      hint: '--no-select and the like reset an option',
    });
  }
  await checkOptions(said);
  const opened = await openWatches(session);
  const asked: WatchEdit = { ...(every !== undefined && { frequency_minutes: every }), ...(hasOptions && { options }) };
  const change = hasOptions
    ? async (id: string) => operatorOnly(opened, 'what counts of a page').change(id, asked)
    : async (id: string) => opened.keeping.change(id, asked);
  for (const { id, url } of findWatches(await opened.keeping.list(), wanted)) {
    const changed: SeenWatch = await change(id);
    session.out.done(changed, {
      id,
      notice: `${url}: ${editWords(changed, hasOptions)}`,
      next: `hydrant watch show ${id.slice(0, 8)}`,
    });
  }
}

function editWords(changed: SeenWatch, hasOptions: boolean): string {
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
