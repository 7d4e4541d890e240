import { entryToWire } from './watch-wire.ts';
import type { Watches } from '../storage/watches.ts';
import type { CrawlEntry } from '../../shared/api/watch.ts';
import { WATCH_ANSWER_LENGTH } from '../../shared/limits.ts';

/**
 * The newest crawls of a watch with their diffs, the newest first: `atMost`, or fewer where they would be longer than an
 * answer may be. A hundred changes of pages of full size are a gigabyte, in the one thread that serves all streams.
 */
export async function newestEntries(port: Pick<Watches, 'checks'>, id: string, atMost: number): Promise<CrawlEntry[]> {
  const answer = new Answer<CrawlEntry>();
  let before: number | undefined;
  do {
    const most = Math.min(AT_ONCE, atMost - answer.items.length);
    const checks = await port.checks(id, { atMost: most, withDiffs: true, ...(before !== undefined && { before }) });
    for (const check of checks) if (!answer.add(await entryToWire(check))) return answer.items;
    before = checks.length < most ? undefined : checks.at(-1)?.n;
  } while (before !== undefined && answer.items.length < atMost);
  return answer.items;
}

/** Items of an answer, as far as there is room for them; for the first one there is. */
export class Answer<Item> {
  readonly items: Item[] = [];
  #left = WATCH_ANSWER_LENGTH;

  /** False: it is full, and the item is not in it. */
  add(item: Item): boolean {
    this.#left -= JSON.stringify(item).length;
    if (this.#left < 0 && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}

/** Packed diffs that cross from the storage's thread in one message. */
const AT_ONCE = 25;
