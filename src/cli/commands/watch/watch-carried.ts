import type { WatchOptions } from '../../../shared/api/watch.ts';
import { WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS } from '../../../shared/limits.ts';
import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';
import type { WatchEntry } from './watch-entry.ts';

/** What another watcher has of options, as far as they can be ours; what cannot is left out with a note. */
export function carried({
  select = [],
  ignore = [],
  only,
}: Partial<WatchOptions>): Pick<WatchEntry, 'options' | 'notes'> {
  const notes: string[] = [];
  const usable = (all: readonly string[], most: number): string[] => {
    const kept = all.filter((one) => {
      const complaint = complaintOf(one);
      if (complaint !== undefined) notes.push(`"${one.slice(0, 100)}" is left out: ${complaint}`);
      return complaint === undefined;
    });
    if (kept.length > most) notes.push(`${kept.length - most} more than ${most} selectors or patterns are left out`);
    return kept.slice(0, most);
  };
  const [selected, ignored] = [usable(select, WATCH_SELECTORS), usable(ignore, WATCH_IGNORES)];
  const options = {
    ...(selected.length > 0 && { select: selected }),
    ...(ignored.length > 0 && { ignore: ignored }),
    ...(only && { only }),
  };
  return { ...(Object.keys(options).length > 0 && { options }), notes };
}

function complaintOf(text: string): string | undefined {
  if (text.length > WATCH_OPTION_LENGTH) return `it is longer than ${WATCH_OPTION_LENGTH} characters`;
  const complaint = isPattern(text) ? checkPattern(text) : checkSelector(text);
  return complaint?.replace(/\.$/, '');
}
