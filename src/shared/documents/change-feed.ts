import type { WatchNewsItem } from '../api/watch.ts';
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
  return { ...subject, entries: changes.toSorted((one, other) => other.cursor - one.cursor).map(entryOf) };
}

function entryOf({ watch, title, check }: WatchNewsItem): FeedEntry {
  const summary = checkWords(check);
  const content = entryHtml({ summary, hunks: shownHunks(check) });
  const labels = { title: watch.title ?? title, ...(watch.tags !== undefined && { tags: watch.tags }) };
  return { key: `${watch.id}/${check.n}`, at: check.at, url: watch.url, ...labels, summary, content };
}
