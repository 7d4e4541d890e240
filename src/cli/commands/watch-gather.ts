import path from 'node:path';
import { Readable } from 'node:stream';
import { UsageError } from '../failure.ts';
import { openFile, readAll } from '../input.ts';
import { printable } from '../printable.ts';
import { unpacked } from '../unpacked.ts';
import { checkedUrl } from './crawl-options.ts';
import type { Session } from './session.ts';
import { count } from './count.ts';
import type { WatchEntry, WatchList } from './watch-entry.ts';
import { comparable } from './watch-names.ts';

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
    const former = found.get(comparable(entry.url));
    if (former === undefined) found.set(comparable(entry.url), entry);
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

const TWICE = 'a page is watched once, and the terms that come first hold:';

function termsOf({ minutes, options, paused }: WatchEntry): string {
  return JSON.stringify([minutes, options, paused]);
}

/** The text of a file, or of stdin; unpacked where it is gzip. */
export async function readText({ context }: Session, file: string, what: string): Promise<string> {
  const input = file === '-' ? context.readBytes(what) : openFile(file);
  const name = file === '-' ? `stdin (${what})` : file;
  return readAll(Readable.from(unpacked(input, name, UNZIP)), name);
}

const UNZIP = 'unzip -p backup.zip url-watches.json | hydrant watch add -';

export function nameOf(file: string): string {
  return file === '-' ? 'stdin' : path.basename(file);
}

/** Only who has a list pays for its readers. */
async function read(session: Session, file: string): Promise<WatchList> {
  const text = await readText(session, file, 'the URLs');
  if (text.includes('\0')) {
    throw new UsageError(`${nameOf(file)} is no text; a list is text, gzip or not`, {
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

const SHOWN = 5;

/** @param most of them that are shown; the others are counted */
export function warn({ out }: Session, code: string, sentences: readonly string[], most = SHOWN): void {
  for (const words of sentences.slice(0, most)) {
    out.warning({ code, message: words }, [`${out.paintNotice('yellow', 'warning:')} ${printable(words)}`]);
  }
  const others = sentences.length - most;
  if (others > 0) out.notice(`and ${others.toLocaleString('en')} more`);
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
    const more = others === 0 ? '' : ` and ${others === 1 ? 'another' : `${others.toLocaleString('en')} others`}`;
    return `${first}${more}: ${note}`;
  });
}
