import type { ChangedText } from '../../shared/page/account.ts';
import { DIFFERENCES } from '../../shared/api/watch-values.ts';
import type {
  CheckDetail,
  CheckOrder,
  CheckReport,
  CrawlEntry,
  PlacedHunk,
  Watch,
  WatchBatch,
  WatchBatchReport,
  WatchChange,
  WatchComparison,
  WatchCreation,
  WatchEdit,
  WatchExplanation,
  WatchFindings,
  WatchNews,
  WatchNewsItem,
  WatchOptions,
  WatchOrder,
  WatchProblem,
  WatchReport,
  WatchVersion,
} from '../../shared/api/watch.ts';
import {
  type Asking,
  flag,
  isAccount,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  shaped,
  text,
  isRender,
  isRequestReport,
} from './shape.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { CHECK_NOTES } from '../../shared/api/watch-values.ts';

/** A watch as whoever asks sees it: a management key is told the fields of `Watch` alone. */
export type SeenWatch = Watch & Partial<Omit<WatchReport, keyof Watch>>;

/** What an operator and a management key do alike. @throws as `Client` */
export interface WatchKeeping {
  list(): Promise<SeenWatch[]>;
  show(id: string): Promise<SeenWatch>;
  change(id: string, change: WatchChange): Promise<SeenWatch>;
  remove(id: string): Promise<void>;
}

export interface ChecksAsked {
  /** Only checks with a smaller number. */
  readonly before?: number;
  readonly limit?: number;
  readonly changes?: boolean;
}

export interface ChangesAsked {
  /** A cursor; without it from the oldest change that is kept. */
  readonly after?: number;
  readonly limit?: number;
  /** Seconds to wait for a change where there is none yet; 25 at most. */
  readonly wait?: number;
  /** The newest ones instead of the oldest. */
  readonly newest?: boolean;
  /** The id of the watch whose changes alone are wanted. */
  readonly watch?: string;
}

/** The operator's endpoints of watches, one method each. @throws as `Client` */
export class WatchEndpoints implements WatchKeeping {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<WatchReport[]> {
    return this.#asking.ask(listOf(isWatchReport), 'GET', '/admin/watches');
  }

  async show(id: string): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'GET', pathOf(id));
  }

  async add(order: WatchOrder): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'POST', '/admin/watches', order);
  }

  /** At most `WATCHES_A_REQUEST`. */
  async addAll(watches: WatchBatch['watches']): Promise<WatchBatchReport> {
    return this.#asking.ask(isWatchBatchReport, 'POST', '/admin/watches/batch', { watches });
  }

  async change(id: string, edit: WatchEdit): Promise<WatchReport> {
    return this.#asking.ask(isWatchReport, 'PATCH', pathOf(id), edit);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  /** Due at once; its host may rest a while yet. */
  async checkNow(id: string): Promise<CheckOrder> {
    return this.#asking.ask(isCheckOrder, 'POST', `${pathOf(id)}/check`, {});
  }

  /** Newest first. */
  async checks(id: string, asked: ChecksAsked = {}): Promise<CheckReport[]> {
    return this.#asking.ask(listOf(isCheck), 'GET', `${pathOf(id)}/checks${queryOf(asked)}`);
  }

  async check(id: string, n: number): Promise<CheckDetail> {
    return this.#asking.ask(isCheckDetail, 'GET', `${pathOf(id)}/checks/${n}`);
  }

  async version(id: string, n: number): Promise<WatchVersion> {
    return this.#asking.ask(isVersion, 'GET', `${pathOf(id)}/versions/${n}`);
  }

  async comparison(id: string, from: number, to: number): Promise<WatchComparison> {
    return this.#asking.ask(isComparison, 'GET', `${pathOf(id)}/comparison${queryOf({ from, to })}`);
  }

  async explanation(id: string): Promise<WatchExplanation> {
    return this.#asking.ask(isExplanation, 'GET', `${pathOf(id)}/explanation`);
  }

  /** Changes up to check `n` are seen. */
  async see(id: string, n: number): Promise<void> {
    await this.#asking.tell('POST', `${pathOf(id)}/seen`, { n });
  }

  /** Of all watches of the organization, oldest first. */
  async changes(asked: ChangesAsked = {}): Promise<WatchNews> {
    return this.#asking.ask(isNews, 'GET', `/admin/watch-changes${queryOf(asked)}`);
  }
}

/** The public endpoints, with a management key: the member's own watches, without options. @throws as `Client` */
export class OwnWatchEndpoints implements WatchKeeping {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<Watch[]> {
    return this.#asking.ask(listOf(isWatch), 'GET', '/v1/url-watch');
  }

  async show(id: string): Promise<Watch> {
    return (await this.entries(id, 1)).data;
  }

  /** With its crawls, the newest first. @param limit 1 to 100 */
  async entries(id: string, limit: number): Promise<WatchWithEntries> {
    return this.#asking.askWhole(isWatchWithEntries, 'GET', `${ownPathOf(id)}${queryOf({ limit })}`);
  }

  async add(creation: WatchCreation): Promise<Watch> {
    return this.#asking.ask(isWatch, 'POST', '/v1/url-watch', creation);
  }

  async change(id: string, change: WatchChange): Promise<Watch> {
    return this.#asking.ask(isWatch, 'PUT', ownPathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', ownPathOf(id));
  }
}

function pathOf(id: string): string {
  return `/admin/watches/${encodeURIComponent(id)}`;
}

function ownPathOf(id: string): string {
  return `/v1/url-watch/${encodeURIComponent(id)}`;
}

function queryOf(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

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
const isWatch = shaped<Watch>(ofWatch);

const isOptions = shaped<WatchOptions>({
  select: texts,
  ignore: texts,
  only: orNull(oneOf('added', 'removed')),
  trigger: orNull(text),
  confirm: flag,
  render: optional(orNull(isRender)),
});

const isProblem = shaped<WatchProblem>({
  reason: text,
  detail: text,
  status: optional(number),
  since: text,
  failures: number,
});

const ofLabels = { title: optional(text), tags: optional(texts) };

const isWatchReport = shaped<WatchReport>({
  ...ofWatch,
  ...ofLabels,
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
  request: optional(isRequestReport),
});

const isUntaken = listOf(shaped<WatchBatchReport['known'][number]>({ index: number, url: text, message: text }));
const isWatchBatchReport = shaped<WatchBatchReport>({
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
const isCheck = shaped<CheckReport>(ofCheck);

const isBlock = shaped<PlacedHunk['blocks'][number]>({
  ctx: optional(texts),
  del: optional(texts),
  ins: optional(texts),
});
const isLink = shaped<NonNullable<PlacedHunk['links']>[number]>({ text, before: text, after: text });
const isHunk = shaped<PlacedHunk>({
  before: number,
  after: number,
  blocks: listOf(isBlock),
  links: optional(listOf(isLink)),
});
const isChunk = shaped<NonNullable<CheckDetail['chunks']>[number]>({ typ: oneOf('ins', 'del'), text });
const isCheckDetail = shaped<CheckDetail>({
  ...ofCheck,
  hunks: optional(listOf(isHunk)),
  chunks: optional(listOf(isChunk)),
});

const isVersion = shaped<WatchVersion>({ n: number, at: text, lines: texts });
const isComparison = shaped<WatchComparison>({ from: isVersion, to: isVersion, hunks: listOf(isHunk) });

const isFindings = shaped<WatchFindings>({
  title: optional(text),
  selected: listOf(shaped<WatchFindings['selected'][number]>({ selector: text, found: number })),
  ignored: listOf(shaped<WatchFindings['ignored'][number]>({ pattern: text, found: number })),
  lines: number,
  inserted: number,
  deleted: number,
  noise: listOf(shaped<WatchFindings['noise'][number]>({ before: text, after: text, reason: text })),
  triggered: optional(flag),
  account: optional(isAccount),
  differs: optional(
    listOf(
      shaped<NonNullable<WatchFindings['differs']>[number]>({
        where: oneOf(...DIFFERENCES),
        detail: text,
        texts: optional(listOf(shaped<ChangedText>({ before: text, after: text }))),
      }),
    ),
  ),
});
const isAnswer = shaped<NonNullable<WatchExplanation['answer']>>({
  status: number,
  url: text,
  content_type: text,
  bytes: number,
});
const isExplanation = shaped<WatchExplanation>({
  check: isCheck,
  request: shaped<WatchExplanation['request']>({ conditional: flag }),
  answer: optional(isAnswer),
  findings: optional(isFindings),
});

const isNewsItem = shaped<WatchNewsItem>({
  cursor: number,
  watch: shaped<WatchNewsItem['watch']>({ id: text, url: text, ...ofLabels }),
  title: optional(text),
  check: isCheckDetail,
});
const isNews = shaped<WatchNews>({ changes: listOf(isNewsItem), cursor: number, organization_id: optional(text) });

const isCheckOrder = shaped<CheckOrder>({ due_at: text, checks: optional(number), under_way: optional(flag) });

/** A watch and its crawls, as a management key sees them. */
interface WatchWithEntries {
  readonly data: Watch;
  readonly diffs: readonly CrawlEntry[];
}
const isEntryDiff = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  return 'hunks' in value ? listOf(listOf(isBlock))(value['hunks']) : listOf(isChunk)(value['chunks']);
};
const isEntry = shaped<CrawlEntry>({ diff: orNull(isEntryDiff), has_changes: flag, created_at: text });
const isWatchWithEntries = shaped<WatchWithEntries>({ data: isWatch, diffs: listOf(isEntry) });
