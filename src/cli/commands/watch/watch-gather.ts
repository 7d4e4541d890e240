import { grouped } from '../../../shared/grouped.ts';
import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import { UsageError } from '../../runtime/failure.ts';
import { count } from '../../text/plural.ts';
import { nameOf, readText } from '../list-text.ts';
import { checkedUrl } from '../option-values.ts';
import type { Session } from '../session.ts';
import type { WatchEntry, WatchList } from './watch-entry.ts';

/** The pages that a command line, stdin and a file name, each once. */
export interface Gathered {
  readonly entries: readonly WatchEntry[];
  /** Sentences: what of the lists could not be read. */
  readonly problems: readonly string[];
}

export async function gather(session: Session, words: readonly string[], file: string | undefined): Promise<Gathered> {
  const found = new Map<string, WatchEntry>();
  const problems: string[] = [];
  const keep = (entry: WatchEntry): void => {
    const former = found.get(watchedUrl(entry.url));
    if (former === undefined) found.set(watchedUrl(entry.url), entry);
    else if (termsOf(former) !== termsOf(entry)) problems.push(`${entry.place ?? entry.url}: ${TWICE} ${entry.url}`);
  };
  const keepAll = (list: WatchList): void => {
    for (const problem of list.problems) problems.push(problem);
    for (const entry of list.entries) keep(entry);
  };
  for (const word of words) {
    if (word === '-') keepAll(await read(session, '-'));
    else keep({ url: checkedUrl(word), notes: [] });
  }
  if (file !== undefined) keepAll(await read(session, file));
  return { entries: [...found.values()], problems };
}

const TWICE = 'a page is watched once; its first entry in the list counts:';

function termsOf({ minutes, options, paused, title, tags }: WatchEntry): string {
  return JSON.stringify([minutes, options, paused, title, tags]);
}

/** Only who has a list pays for its readers. */
async function read(session: Session, file: string): Promise<WatchList> {
  const text = await readText(session, file, 'the URLs');
  if (text.includes('\0')) {
    throw new UsageError(`${nameOf(file)} is not text; a list is text, optionally compressed with gzip`, {
      hint: 'see: hydrant watch add --help',
    });
  }
  const { readWatchList } = await import('./watch-lists.ts');
  const list = readWatchList(text, nameOf(file));
  if (list.kind !== undefined && list.entries.length > 0) {
    session.out.notice(`${nameOf(file)} is ${list.kind}: ${count(list.entries.length, 'URL')}`);
  }
  return list;
}

/** What is not carried over, each once, with how many entries it is about. */
export function noteSentences(entries: readonly WatchEntry[]): string[] {
  const places = new Map<string, { readonly first: string; others: number }>();
  for (const { url, notes } of entries) {
    for (const note of notes) {
      const place = places.get(note);
      if (place === undefined) places.set(note, { first: url, others: 0 });
      else place.others += 1;
    }
  }
  return [...places].map(([note, { first, others }]) => {
    const more = others === 0 ? '' : ` and ${others === 1 ? 'another' : `${grouped(others)} others`}`;
    return `${first}${more}: ${note}`;
  });
}
