import type { HelpRow } from './help-lines.ts';
import type { TailModel } from './tail-model.ts';

/** What `?` shows: the keys that do anything on this screen. */
export function tailHelp({ taps, canAct }: Pick<TailModel, 'taps' | 'canAct'>): readonly HelpRow[] {
  return [...READING, ...(taps.length > 1 ? TAPS : []), ...(canAct ? ACTIONS : []), QUIT];
}

const READING: readonly HelpRow[] = [
  ['↑ ↓  j k', 'move; below the last match the newest is followed'],
  ['g G', 'to the oldest that is kept, to the newest'],
  ['↵', 'the match in full: what came, what went, the rules'],
  ['space', 'hold the view, or go on; the reading never stops'],
  ['/', 'only matches with a text in them'],
  ['esc', 'close what is open, or take the filter back'],
];
const TAPS: readonly HelpRow[] = [['tab', 'all taps, or one after the other']];
const ACTIONS: readonly HelpRow[] = [
  ['o', 'open the page in the browser'],
  ['s', 'save the match, for hydrant saved'],
  ['x', 'mute the domain: leave it out of the rules that matched; asks first'],
  ['u', 'undo the last muting'],
];
const QUIT: HelpRow = ['q', 'quit'];
