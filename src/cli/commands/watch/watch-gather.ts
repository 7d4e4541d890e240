import { grouped } from '../../../shared/grouped.ts';
import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import { UsageError } from '../../runtime/failure.ts';
import { count } from '../../../shared/text/plural.ts';
import { printable } from '../../../shared/text/printable.ts';
import { nameOf, readText } from '../list-text.ts';
import { checkedUrl } from '../option-values.ts';
import type { Session } from '../session.ts';
import type { RefusedEntry, WatchEntry, WatchList } from './watch-entry.ts';

/** The pages that a command line, stdin and a file name, each once. */
export interface Gathered {
  readonly entries: readonly WatchEntry[];
  /** Of the lists: what cannot work here. */
  readonly refused: readonly RefusedEntry[];
  /** Sentences: what of the lists could not be read. */
  readonly problems: readonly string[];
}

export async function gather(session: Session, words: readonly string[], file: string | undefined): Promise<Gathered> {
  const found = new Map<string, WatchEntry>();
  const problems: string[] = [];
  const refused: RefusedEntry[] = [];
  const keep = (entry: WatchEntry): void => {
    const former = found.get(watchedUrl(entry.url));
    if (former === undefined) found.set(watchedUrl(entry.url), entry);
    else if (termsOf(former) !== termsOf(entry)) problems.push(`${entry.place ?? entry.url}: ${TWICE} ${entry.url}`);
  };
  const keepAll = (list: WatchList): void => {
    for (const problem of list.problems) problems.push(problem);
    for (const entry of list.refused) refused.push(entry);
    for (const entry of list.entries) keep(entry);
  };
  for (const word of words) {
    if (word === '-') keepAll(await read(session, '-'));
    else keep({ url: checkedUrl(word), notes: [] });
  }
  if (file !== undefined) keepAll(await read(session, file));
  return { entries: [...found.values()], refused, problems };
}

const TWICE = 'a page is watched once; its first entry in the list counts:';

function termsOf({ minutes, options, request, paused, title, tags }: WatchEntry): string {
  return JSON.stringify([minutes, options, request, paused, title, tags]);
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
  const size = list.entries.length + list.refused.length;
  if (list.kind !== undefined && size > 0) {
    session.out.notice(`${nameOf(file)} is ${list.kind}: ${count(size, list.refused.length > 0 ? 'entry' : 'URL')}`);
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

/** Entries that are listed on a terminal; a pipe gets all. */
const LISTED = 20;

/** What is not added, each with its reason and what to do instead. */
export function tellRefused({ out }: Session, refused: readonly RefusedEntry[]): void {
  const shown = out.forPeople ? refused.slice(0, LISTED) : refused;
  for (const entry of shown) {
    const { place, title, url, reason, next } = entry;
    const name = [title, url].filter((one) => one !== undefined).join(', ');
    const words = `${place}${name === '' ? '' : ` (${name})`} is not added: ${reason}`;
    const told = { code: 'not_added', message: words, ...entry };
    out.warning(told, [
      `${out.paintNotice('yellow', 'warning:')} ${printable(words)}`,
      `  instead: ${printable(next)}`,
    ]);
  }
  const others = refused.length - shown.length;
  if (others > 0) out.notice(`and ${grouped(others)} more that are not added; in a pipe all are listed`);
}
