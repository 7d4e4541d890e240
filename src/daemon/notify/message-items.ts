import type { MessageItem } from './sink-kind.ts';
import type { ProblemFacts } from './problem-facts.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { ProblemEvent } from '../storage/deliveries.ts';
import type { LoggedEvent } from '../storage/event-log.ts';
import type { DiffChunk, Match, MatchDocument } from '../../shared/api/match.ts';
import type { CheckDetail, WatchNewsItem } from '../../shared/api/watch.ts';
import { SINK_LINES_BYTES } from '../../shared/limits.ts';
import { linkLines } from '../../shared/page/diff/link-lines.ts';

/** What the logs say, as pieces of news. */
export function itemOfMatch(tapId: string, { at, queryIds, document }: LoggedEvent, data: CatalogData): MessageItem {
  const match: Match = {
    tap_id: tapId,
    query_ids: JSON.parse(queryIds) as string[],
    matched_at: new Date(at).toISOString(),
    document: JSON.parse(document) as MatchDocument,
  };
  const { title, url, diff } = match.document;
  const tap = data.taps.find(({ id }) => id === tapId)?.name;
  const rules = match.query_ids.map((id) => data.rules.find((rule) => rule.id === id)?.tag ?? id);
  return {
    type: 'match',
    at: match.matched_at,
    title: oneLine(title) || url,
    url,
    lines: within(diff?.chunks ?? []),
    labels: { ...(tap !== undefined && { tap }), rules: [...new Set(rules)] },
    payload: match,
  };
}

export function itemOfChange(news: WatchNewsItem): MessageItem {
  const { watch, title, check } = news;
  const lines = within(changedLines(check));
  return {
    type: 'change',
    at: check.at,
    title: oneLine(watch.title) || oneLine(title) || watch.url,
    url: watch.url,
    lines,
    labels: {
      ...(watch.title !== undefined && { watch: watch.title }),
      ...(watch.tags && { tags: watch.tags }),
    },
    payload: payloadOf(news, lines),
  };
}

export function itemOfProblem({ at, kind, problem }: ProblemEvent): MessageItem {
  const facts = JSON.parse(problem) as ProblemFacts;
  const { title, over, url, detail } = facts;
  const isOver = kind === 'over';
  return {
    type: isOver ? 'recovery' : 'problem',
    at: new Date(at).toISOString(),
    title: isOver ? over : title,
    ...(url !== undefined && { url }),
    lines: isOver || detail === undefined ? [] : [{ typ: 'ins', text: detail }],
    labels: {},
    payload: { ...facts, is_over: isOver },
  };
}

/** A diff of a page of full size is some megabytes: of such a change the lines that are shown are sent, and that they are not all. */
function payloadOf(news: WatchNewsItem, lines: readonly DiffChunk[]): unknown {
  const { hunks, chunks, ...check } = news.check;
  const size = (hunks ?? []).reduce((sum, { blocks }) => sum + JSON.stringify(blocks).length, 0);
  if (size <= 4 * SINK_LINES_BYTES && (chunks === undefined || lines.length === chunks.length)) return news;
  return { ...news, check: { ...check, chunks: lines }, is_shortened: true };
}

function changedLines({ hunks, chunks }: CheckDetail): DiffChunk[] {
  if (hunks === undefined) return [...(chunks ?? [])];
  const lines: DiffChunk[] = [];
  const add = (typ: DiffChunk['typ'], texts: readonly string[] = []): void => {
    for (const text of texts) lines.push({ typ, text });
  };
  for (const { blocks, links } of hunks) {
    for (const { del, ins } of blocks) {
      add('del', del);
      add('ins', ins);
    }
    if (!links) continue;
    add('del', linkLines(links, 'before'));
    add('ins', linkLines(links, 'after'));
  }
  return lines;
}

/** The first of them; the last one may be a part of one. */
function within(lines: readonly DiffChunk[]): DiffChunk[] {
  const kept: DiffChunk[] = [];
  let left = SINK_LINES_BYTES;
  for (const { typ, text } of lines) {
    if (left <= 0) break;
    // Never more bytes than four for each unit of UTF-16 that is cut off, and never half a character.
    const bytes = Buffer.byteLength(text);
    kept.push({ typ, text: bytes <= left ? text : `${text.slice(0, Math.floor(left / 4)).toWellFormed()}…` });
    left -= bytes;
  }
  return kept;
}

function oneLine(text: string | undefined): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim();
}
