import type { CheckDetail, PlacedHunk, WatchNewsItem } from '../api/watch.ts';
import { count } from '../text/plural.ts';
import { entryHtml } from './change-html.ts';
import { checkWords } from './check-words.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { shownHunks } from './shown-change.ts';

/** What a feed of changes is of, whatever has changed. */
export type ChangeFeedSubject = Omit<Feed, 'entries'>;

interface FedWatch {
  readonly id: string;
  readonly url: string;
  readonly title?: string | undefined;
  readonly created_at: string;
}

/** One watch. */
export function subjectOfWatch({ id, url, title, created_at: since }: FedWatch): ChangeFeedSubject {
  return { key: id, title: `changes of ${title ?? url}`, url, since };
}

/** @param changes in any order */
export function changeFeed(subject: ChangeFeedSubject, changes: readonly WatchNewsItem[]): Feed {
  const entries = changes.toSorted((one, other) => other.cursor - one.cursor).map((change) => changeEntry(change));
  return { ...subject, entries };
}

/** @param most characters of the lines in it; how many more there are is said. Default: all */
export function changeEntry({ watch, title, check }: WatchNewsItem, most = Infinity): FeedEntry {
  const { shown, left } = beginningOf(check, most);
  const summary = checkWords(check);
  const html = entryHtml({ summary, hunks: shownHunks(shown) });
  const content = left === 0 ? html : `${html}\n<p>… and ${count(left, 'more line')}</p>`;
  const labels = { title: watch.title ?? title, ...(watch.tags !== undefined && { tags: watch.tags }) };
  return { key: `${watch.id}/${check.n}`, at: check.at, url: watch.url, ...labels, summary, content };
}

type Differences = Pick<CheckDetail, 'hunks' | 'chunks'>;

/** Before its words are compared, which costs more than all else. `left`: lines that are not in it. */
function beginningOf(check: Differences, most: number): { readonly shown: Differences; readonly left: number } {
  if (most === Infinity) return { shown: check, left: 0 };
  const room = new Room(most);
  const hunks = check.hunks?.map((hunk) => shortened(hunk, room)).filter(hasLines);
  const chunks = check.chunks
    ?.map(({ typ, text }) => ({ typ, text: room.take(text.split('\n')) }))
    .filter(({ text }) => text.length > 0)
    .map(({ typ, text }) => ({ typ, text: text.join('\n') }));
  return { shown: { ...(hunks && { hunks }), ...(chunks && { chunks }) }, left: room.refused };
}

function shortened({ before, after, blocks, links }: PlacedHunk, room: Room): PlacedHunk {
  const some = blocks.map(({ ctx, del, ins }) => ({
    ...(ctx && { ctx: room.take(ctx) }),
    ...(del && { del: room.take(del) }),
    ...(ins && { ins: room.take(ins) }),
  }));
  const kept = links?.filter((link) => room.has(link.text.length * 2 + link.before.length + link.after.length));
  return { before, after, blocks: some, ...(kept && kept.length > 0 && { links: kept }) };
}

function hasLines({ blocks, links }: PlacedHunk): boolean {
  return (
    links !== undefined || blocks.some(({ ctx = [], del = [], ins = [] }) => ctx.length + del.length + ins.length > 0)
  );
}

/** Lines come in as long as there is room; after the first that does not fit, none does. */
class Room {
  #left: number;
  refused = 0;

  constructor(most: number) {
    this.#left = most;
  }

  has(length: number): boolean {
    this.#left -= length + 1;
    if (this.#left < 0) this.refused += 1;
    return this.#left >= 0;
  }

  take(lines: readonly string[]): string[] {
    return lines.filter((line) => this.has(line.length));
  }
}
