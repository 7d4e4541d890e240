import { formatEventId } from '../../shared/api/stream.ts';
import type { StreamStart } from './stream-event.ts';

/** What is lost between what was asked for and what there is; undefined when nothing is. */
export function gapOf(start: StreamStart): string | undefined {
  const at = formatEventId(start.at);
  if (start.reason === 'ahead') return `nothing is there yet: the next event will be ${at}`;
  if (start.reason !== 'clamped') return undefined;
  if (start.gone === undefined)
    return `the buffer begins at ${at}, in another life of the log: what was before is gone`;
  return `the buffer begins at ${at}: ${start.gone} ${start.gone === 1 ? 'event is' : 'events are'} gone`;
}
