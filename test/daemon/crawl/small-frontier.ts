import type { Supply } from '../../../src/daemon/crawl/crawler.ts';
import {
  type DuePage,
  type HostState,
  NEW_HOST,
  type Taken,
  type TakeQuestion,
  UNLIMITED,
} from '../../../src/daemon/storage/frontier.ts';
import { hostClass } from '../../../src/daemon/storage/frontier-rules.ts';

/**
 * A frontier of a few pages whose every question is counted. It keeps the promises that the crawler goes by: one page a host,
 * leases that run out, hosts that rest. A visit is committed by `visited`.
 */
export class SmallFrontier implements Supply {
  readonly pages = new Map<number, { page: DuePage; due: number }>();
  readonly hosts = new Map<string, HostState>();
  readonly #leases = new Map<string, number>();
  readonly questions: TakeQuestion[] = [];
  readonly broughtForward: number[] = [];
  /** Set, each question is refused with it. */
  broken: Error | undefined;

  add(url: string, due = 0): void {
    const { host } = new URL(url);
    const id = this.pages.size + 1;
    const kind = { kind: 'article', urgency: 0, isBaseline: false } as const;
    const rest = { everyMs: undefined, holders: [], state: undefined, hostState: NEW_HOST, trust: undefined };
    this.pages.set(id, { page: { id, url, host, due, ...kind, ...rest }, due });
  }

  async take(question: TakeQuestion): Promise<Taken> {
    this.questions.push(question);
    if (this.broken) throw this.broken;
    const { now, atMost, leaseMs, except } = question;
    const room = { ...UNLIMITED, ...question.most };
    const taken: DuePage[] = [];
    const busy = new Set(except);
    for (const { page, due } of [...this.pages.values()].toSorted((a, b) => a.due - b.due)) {
      if (taken.length === atMost || busy.has(page.host) || Math.max(due, this.#readyAt(page.host)) > now) continue;
      const hostState = this.hosts.get(page.host) ?? NEW_HOST;
      if (room[hostClass(hostState)] <= 0) continue;
      room[hostClass(hostState)] -= 1;
      busy.add(page.host);
      this.#leases.set(page.host, now + leaseMs);
      taken.push({ ...page, due, hostState });
    }
    const waiting = [...this.pages.values()].filter(({ page }) => !busy.has(page.host));
    const times = waiting.flatMap(({ page, due }) => {
      const time = Math.max(due, this.#readyAt(page.host));
      return time <= now && room[hostClass(this.hosts.get(page.host) ?? NEW_HOST)] <= 0 ? [] : [time];
    });
    const nextAt = Math.min(...times);
    return { pages: taken, nextAt: Number.isFinite(nextAt) && nextAt > now ? nextAt : undefined, pull: 7 };
  }

  async release({ id }: Pick<DuePage, 'id'>, host: HostState): Promise<void> {
    if (this.broken) throw this.broken;
    const page = this.pages.get(id)?.page;
    if (page) this.visited(page, host, page.due);
  }

  releaseSlot(): void {
    // Its takes count no places.
  }

  visited({ id, host }: Pick<DuePage, 'id' | 'host'>, state: HostState, nextDue: number): void {
    this.hosts.set(host, state);
    this.#leases.delete(host);
    const known = this.pages.get(id);
    if (known) known.due = nextDue;
  }

  async bringForward(now: number): Promise<number> {
    this.broughtForward.push(now);
    const late = [...this.pages.values()].filter(({ due }) => due > now + 3_600_000);
    for (const known of late) known.due = now;
    for (const [host, state] of this.hosts)
      if (state.notBefore > now + 3_600_000) this.hosts.set(host, { ...state, notBefore: now });
    return late.length;
  }

  #readyAt(host: string): number {
    return Math.max(this.hosts.get(host)?.notBefore ?? 0, this.#leases.get(host) ?? 0);
  }
}
