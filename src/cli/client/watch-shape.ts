import type {
  CheckDetail,
  CheckReport,
  CrawlEntry,
  PlacedHunk,
  Watch,
  WatchBatchReport,
  WatchComparison,
  WatchExplanation,
  WatchFindings,
  WatchNews,
  WatchNewsItem,
  WatchOptions,
  WatchProblem,
  WatchReport,
  WatchVersion,
} from '../../shared/api/watch.ts';
import { CHECK_NOTES } from '../../shared/api/watch-values.ts';
import { flag, isRecord, listOf, number, oneOf, optional, orNull, shaped, text } from './shape.ts';

/** What the answers about watches must look like: see `shape.ts`. */
const texts = listOf((value: unknown): value is string => text(value));

const ofWatch = {
  id: text,
  url: text,
  frequency_minutes: number,
  status: oneOf('active', 'paused'),
  change_count: number,
  last_checked_at: orNull(text),
  created_at: text,
};
export const isWatch = shaped<Watch>(ofWatch);

const isOptions = shaped<WatchOptions>({
  select: texts,
  ignore: texts,
  only: orNull(oneOf('added', 'removed')),
  trigger: orNull(text),
  confirm: flag,
});

const isProblem = shaped<WatchProblem>({
  reason: text,
  detail: text,
  status: optional(number),
  since: text,
  failures: number,
});

export const isWatchReport = shaped<WatchReport>({
  ...ofWatch,
  member: text,
  options: isOptions,
  effective_minutes: number,
  next_check_at: orNull(text),
  held: orNull(oneOf('quota')),
  checks: number,
  last_success_at: orNull(text),
  last_change: orNull(shaped<NonNullable<WatchReport['last_change']>>({ n: number, at: text })),
  unseen: number,
  problem: orNull(isProblem),
});

const isUntaken = listOf(shaped<WatchBatchReport['known'][number]>({ index: number, url: text, message: text }));
export const isWatchBatchReport = shaped<WatchBatchReport>({
  added: listOf(isWatchReport),
  known: isUntaken,
  refused: isUntaken,
});

const ofCheck = {
  n: number,
  at: text,
  outcome: oneOf('baseline', 'changed', 'unchanged', 'failed'),
  note: optional(oneOf(...CHECK_NOTES)),
  reason: optional(text),
  detail: optional(text),
  status: optional(number),
  recovered: optional(number),
  lines: optional(shaped<NonNullable<CheckReport['lines']>>({ inserted: number, deleted: number })),
};
export const isCheck = shaped<CheckReport>(ofCheck);

const isBlock = shaped<PlacedHunk['blocks'][number]>({
  ctx: optional(texts),
  del: optional(texts),
  ins: optional(texts),
});
const isHunk = shaped<PlacedHunk>({ before: number, after: number, blocks: listOf(isBlock) });
const isChunk = shaped<NonNullable<CheckDetail['chunks']>[number]>({ typ: oneOf('ins', 'del'), text });
export const isCheckDetail = shaped<CheckDetail>({
  ...ofCheck,
  hunks: optional(listOf(isHunk)),
  chunks: optional(listOf(isChunk)),
});

export const isVersion = shaped<WatchVersion>({ n: number, at: text, lines: texts });
export const isComparison = shaped<WatchComparison>({ from: isVersion, to: isVersion, hunks: listOf(isHunk) });

const isFindings = shaped<WatchFindings>({
  title: optional(text),
  selected: listOf(shaped<WatchFindings['selected'][number]>({ selector: text, found: number })),
  ignored: listOf(shaped<WatchFindings['ignored'][number]>({ pattern: text, found: number })),
  lines: number,
  inserted: number,
  deleted: number,
  noise: listOf(shaped<WatchFindings['noise'][number]>({ before: text, after: text, reason: text })),
  triggered: optional(flag),
});
const isAnswer = shaped<NonNullable<WatchExplanation['answer']>>({
  status: number,
  url: text,
  content_type: text,
  bytes: number,
});
export const isExplanation = shaped<WatchExplanation>({
  check: isCheck,
  request: shaped<WatchExplanation['request']>({ conditional: flag }),
  answer: optional(isAnswer),
  findings: optional(isFindings),
});

const isNewsItem = shaped<WatchNewsItem>({
  cursor: number,
  watch: shaped<WatchNewsItem['watch']>({ id: text, url: text }),
  title: optional(text),
  check: isCheckDetail,
});
export const isNews = shaped<WatchNews>({ changes: listOf(isNewsItem), cursor: number });

/** When a check that was asked for is due. */
export interface CheckOrder {
  readonly due_at: string;
}
export const isCheckOrder = shaped<CheckOrder>({ due_at: text });

/** A watch and its crawls, as a management key sees them. */
export interface WatchWithEntries {
  readonly data: Watch;
  readonly diffs: readonly CrawlEntry[];
}
const isEntry = shaped<CrawlEntry>({ diff: orNull(isRecord), has_changes: flag, created_at: text });
export const isWatchWithEntries = shaped<WatchWithEntries>({ data: isWatch, diffs: listOf(isEntry) });
