import { Answer, checkToWire, detailOf, labelsOf, linesOf, reportOf } from './watch-wire.ts';
import type { Quota } from './quota.ts';
import { unknownWatch, type Watches } from './watches.ts';
import type { Plans } from '../accounts/plans.ts';
import type { Manager } from '../accounts/keys.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { ChangeQuestion, Watches as Port, WatchRecord } from '../storage/watches.ts';
import type {
  CheckDetail,
  CheckOrder,
  CheckReport,
  WatchNews as News,
  PlacedHunk,
  WatchBatch,
  WatchComparison,
  WatchEdit,
  WatchExplanation,
  WatchNewsItem,
  WatchOrder,
  WatchReport,
  WatchVersion,
} from '../../shared/api/watch.ts';

interface WatchServiceDeps {
  readonly port: Port;
  readonly watches: Watches;
  readonly quota: Pick<Quota, 'isUsedUp' | 'limitOf'>;
  readonly notifier: ChangeNotifier;
  readonly catalog: { readonly data: CatalogData };
  readonly plans: Plans;
  readonly outside: Pick<Outside, 'now'>;
  /** Two versions against each other, as a check would compare them. */
  readonly compare: (before: readonly string[], after: readonly string[]) => Promise<readonly PlacedHunk[]>;
  /** A watch may be due that was not. */
  readonly wake: () => void;
}

/** The answer to a batch, with refusals that are not yet sentences. `index` counts from 0. */
export interface BatchOutcome {
  readonly added: readonly WatchReport[];
  readonly untaken: readonly { readonly index: number; readonly url: string; readonly problem: Problem }[];
}

export interface ChangesAsked {
  readonly after: number;
  readonly atMost: number;
  readonly isNewest: boolean;
  readonly watchId?: string;
  /** As `ChangeQuestion.tag`. */
  readonly tag?: string;
  /** Characters of diffs, as `WATCH_ANSWER_LENGTH`, which is the default. */
  readonly mostLength?: number;
  /** Milliseconds to wait for a change where there is none. */
  readonly waitMs: number;
}

/**
 * What the operator asks of the watches of an organization, whosever they are: with their options, their failures and all
 * that is kept of them. Every question names its organization; a watch of another one is not there.
 */
export class WatchService {
  readonly #deps: WatchServiceDeps;

  constructor(deps: WatchServiceDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(organizationId: string): Promise<WatchReport[]> {
    const records = await this.#deps.port.watches({ organizationId, atMost: Number.MAX_SAFE_INTEGER });
    return this.#reports(organizationId, records);
  }

  async add(operator: Manager, order: WatchOrder): Promise<WatchReport> {
    return this.#report(await this.#deps.watches.add(operator, order));
  }

  /** One that is refused keeps none of the others out. */
  async addAll(operator: Manager, orders: WatchBatch['watches']): Promise<BatchOutcome> {
    const added: WatchRecord[] = [];
    const untaken: BatchOutcome['untaken'][number][] = [];
    const addOne = async (order: WatchOrder, index: number): Promise<void> => {
      try {
        added.push(await this.#deps.watches.add(operator, order));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        untaken.push({ index, url: order.url, problem: error });
      }
    };
    for (let at = 0; at < orders.length; at += STEP) {
      await Promise.all(orders.slice(at, at + STEP).map((order, index) => addOne(order, at + index)));
    }
    const inOrder = untaken.toSorted((one, other) => one.index - other.index);
    return { added: this.#reports(operator.organizationId, added), untaken: inOrder };
  }

  async show(organizationId: string, id: string): Promise<WatchReport> {
    return this.#report(await this.#known(organizationId, id));
  }

  async edit(organizationId: string, id: string, edit: WatchEdit): Promise<WatchReport> {
    return this.#report(await this.#deps.watches.edit(await this.#known(organizationId, id), edit));
  }

  async remove(organizationId: string, id: string): Promise<void> {
    await this.#known(organizationId, id);
    if (!(await this.#deps.port.removeWatch(id))) throw unknownWatch();
  }

  /** Due at once; its host may rest a while yet. @throws {Problem} watch_paused, check_quota_used_up */
  async checkNow(organizationId: string, id: string): Promise<CheckOrder> {
    const { port, watches, outside, wake } = this.#deps;
    const { isPaused, url } = await this.#known(organizationId, id);
    if (isPaused) throw new Problem('watch_paused', { url });
    await watches.checkQuota(organizationId);
    const due = outside.now();
    const changed = await port.changeWatch(id, { due });
    if (!changed) throw unknownWatch();
    wake();
    return { due_at: timestamp(due), checks: changed.checks, under_way: changed.isUnderWay === true };
  }

  /** Newest first. */
  async checks(
    organizationId: string,
    id: string,
    asked: { readonly before?: number; readonly atMost: number; readonly onlyChanges?: boolean },
  ): Promise<CheckReport[]> {
    await this.#known(organizationId, id);
    return (await this.#deps.port.checks(id, asked)).map(checkToWire);
  }

  async check(organizationId: string, id: string, n: number): Promise<CheckDetail> {
    await this.#known(organizationId, id);
    const check = await this.#deps.port.check(id, n);
    if (!check) throw new Problem('not_found', { resource: 'check' });
    return detailOf(check);
  }

  async version(organizationId: string, id: string, n: number): Promise<WatchVersion> {
    await this.#known(organizationId, id);
    return this.#version(id, n);
  }

  async comparison(organizationId: string, id: string, from: number, to: number): Promise<WatchComparison> {
    await this.#known(organizationId, id);
    const [before, after] = await Promise.all([this.#version(id, from), this.#version(id, to)]);
    return { from: before, to: after, hunks: await this.#deps.compare(before.lines, after.lines) };
  }

  async explanation(organizationId: string, id: string): Promise<WatchExplanation> {
    await this.#known(organizationId, id);
    const found = await this.#deps.port.watchExplanation(id);
    const check = found && (await this.#deps.port.check(id, found.n));
    if (!found || !check) throw new Problem('not_found', { resource: 'check that read the page' });
    const explained = JSON.parse(found.explanation) as Omit<WatchExplanation, 'check'>;
    return { ...explained, check: checkToWire(check) };
  }

  async see(organizationId: string, id: string, n: number): Promise<void> {
    await this.#known(organizationId, id);
    if (!(await this.#deps.port.seeWatch(id, n))) throw unknownWatch();
  }

  /** Of all watches of the organization, or of one. With `waitMs` it answers with the next change, or with none. */
  async changes(organizationId: string, asked: ChangesAsked, signal: AbortSignal): Promise<News> {
    const { notifier } = this.#deps;
    const { after, atMost, isNewest: newest, watchId, tag, mostLength } = asked;
    if (watchId !== undefined) await this.#known(organizationId, watchId);
    const which = { ...(watchId !== undefined && { watchId }), ...(tag !== undefined && { tag }) };
    const question = { organizationId, after, atMost, newest, ...which };
    const until = performance.now() + asked.waitMs;
    for (;;) {
      const waiting = new AbortController();
      // Before it looks: a change that is committed between the two would be waited for in vain.
      const ends = AbortSignal.any([signal, waiting.signal]);
      const notified = notifier.wait(organizationId, until - performance.now(), ends);
      const news = await this.#news(question, mostLength);
      if (news.changes.length > 0) waiting.abort();
      const isNotified = await notified;
      if (news.changes.length > 0 || asked.waitMs === 0) return news;
      // It may have been a change of another watch, or one that it knew already.
      if (!isNotified) return this.#news(question, mostLength);
    }
  }

  /** Whoever waits is answered: the daemon ends. */
  close(): void {
    this.#deps.notifier.close();
  }

  async #news(question: ChangeQuestion, mostLength?: number): Promise<News> {
    const { port } = this.#deps;
    const reached = question.newest === true ? await port.newestChange(question.organizationId) : (question.after ?? 0);
    const answer = new Answer<WatchNewsItem>(mostLength);
    for (const { cursor, watchId, url, watchTitle, watchTags, title, check } of await port.watchChanges(question)) {
      const watch = { id: watchId, url, ...labelsOf({ title: watchTitle, tags: watchTags }) };
      const said = title === undefined ? {} : { title };
      if (!answer.add({ cursor, watch, ...said, check: await detailOf(check) })) break;
    }
    const cursor = Math.max(reached, ...answer.items.map((item) => item.cursor));
    return { changes: answer.items, cursor, organization_id: question.organizationId };
  }

  async #version(id: string, n: number): Promise<WatchVersion> {
    const found = await this.#deps.port.watchText(id, n);
    if (!found) throw new Problem('not_found', { resource: 'version' });
    return { n: found.n, at: timestamp(found.at), lines: await linesOf(found.text) };
  }

  async #known(organizationId: string, id: string): Promise<WatchRecord> {
    const watch = await this.#deps.port.watch(id);
    if (watch?.organizationId !== organizationId) throw unknownWatch();
    return watch;
  }

  #report(watch: WatchRecord): WatchReport {
    const [report] = this.#reports(watch.organizationId, [watch]);
    if (!report) throw unknownWatch();
    return report;
  }

  #reports(organizationId: string, records: readonly WatchRecord[]): WatchReport[] {
    const { organizations, members } = this.#deps.catalog.data;
    const organization = organizations.find(({ id }) => id === organizationId);
    if (!organization) throw new Problem('not_found', { resource: 'organization' });
    const plan = this.#deps.plans.of(organization);
    const names = new Map(members.map(({ id, name }) => [id, name]));
    return records.map((watch) => reportOf(watch, { member: names.get(watch.memberId) ?? '', plan }));
  }
}

/** Commits are shared by those who wait, and nobody else is to wait for a thousand of them. */
const STEP = 200;

/**
 * Who waits for a change of an organization's watches. Waiters are notified after the commit, so that whoever is woken finds the change;
 * who wants to miss none begins to wait before he looks.
 */
export class ChangeNotifier {
  readonly #waiting = new Map<string, Set<(isChange: boolean) => void>>();
  #isClosed = false;

  /** There is a new change. */
  notify(organizationId: string): void {
    for (const wake of this.#waiting.get(organizationId) ?? []) wake(true);
  }

  /** True with the next change; false after `ms`, when `signal` is aborted, and at the shutdown. Never rejected. */
  wait(organizationId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#isClosed || signal.aborted || ms <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const wake = (isChange: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#forget(organizationId, wake);
        resolve(isChange);
      };
      const end = (): void => wake(false);
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      const waiting = this.#waiting.get(organizationId) ?? new Set();
      this.#waiting.set(organizationId, waiting.add(wake));
    });
  }

  /** Whose changes are waited for. */
  get awaited(): string[] {
    return [...this.#waiting.keys()];
  }

  /** How many wait. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, waiting) => sum + waiting.size, 0);
  }

  /** Ends all waiting; nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake(false);
  }

  #forget(organizationId: string, wake: (isChange: boolean) => void): void {
    const waiting = this.#waiting.get(organizationId);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(organizationId);
  }
}
