import { Member } from './member.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import type { KeyCreated } from '../../src/shared/api/organization.ts';
import type {
  CheckDetail,
  CheckReport,
  CrawlEntry,
  WatchBatchReport,
  WatchExplanation,
  WatchOptions,
  WatchReport,
  WatchVersion,
} from '../../src/shared/api/watch.ts';

/**
 * URLs watched by a real daemon, checked when the test asks for it: in between, what they show may change. The cadence is
 * so slow that none is checked by itself.
 */
export class WatchedUrls {
  readonly daemon: RealDaemon;
  readonly member: Member;

  static async start(flags: readonly string[] = loopback): Promise<WatchedUrls> {
    const daemon = await RealDaemon.start(flags);
    const { key } = await daemon.operator<KeyCreated>('POST', '/admin/keys', { name: 'test' });
    return new WatchedUrls(daemon, new Member(daemon.notice.url, key));
  }

  private constructor(daemon: RealDaemon, member: Member) {
    this.daemon = daemon;
    this.member = member;
  }

  close(): Promise<void> {
    return this.daemon.dispose();
  }

  /** Their ids, in their order, when each has been checked for the first time. */
  async add(urls: readonly string[], options: Partial<WatchOptions> = {}): Promise<string[]> {
    const watches = urls.map((url) => ({ url, frequency_minutes: 1_440, options }));
    const { data } = await this.daemon.operator<{ data: WatchBatchReport }>('POST', '/admin/watches/batch', {
      watches,
    });
    const ids = new Map(data.added.map(({ id, url }) => [url, id]));
    const inOrder = urls.map((url) => ids.get(url) ?? '');
    await this.#reach(new Map(inOrder.map((id) => [id, 1])));
    return inOrder;
  }

  /** Each of them once more; answered when all that came of it can be read. */
  async check(...ids: readonly string[]): Promise<void> {
    const checks = new Map((await this.reports()).map((report) => [report.id, report.checks]));
    await Promise.all(ids.map((id) => this.daemon.operator('POST', `/admin/watches/${id}/check`)));
    await this.#reach(new Map(ids.map((id) => [id, (checks.get(id) ?? 0) + 1])));
  }

  async reports(): Promise<WatchReport[]> {
    return (await this.daemon.operator<{ data: WatchReport[] }>('GET', '/admin/watches')).data;
  }

  /** As the member sees them, the oldest first. */
  async entries(id: string): Promise<CrawlEntry[]> {
    return (await this.member.show(id)).diffs.toReversed();
  }

  /** As the operator sees them, the oldest first. */
  async checks(id: string): Promise<CheckReport[]> {
    return (
      await this.daemon.operator<{ data: CheckReport[] }>('GET', `/admin/watches/${id}/checks`)
    ).data.toReversed();
  }

  /** `baseline`, `changed`, `unchanged noise`, `failed http_5xx`, the oldest first. */
  async said(id: string): Promise<string[]> {
    const checks = await this.checks(id);
    return checks.map(({ outcome, note, reason }) => [outcome, note ?? reason].filter(Boolean).join(' '));
  }

  async detail(id: string, n: number): Promise<CheckDetail> {
    return (await this.daemon.operator<{ data: CheckDetail }>('GET', `/admin/watches/${id}/checks/${n}`)).data;
  }

  async version(id: string, n: number): Promise<WatchVersion> {
    return (await this.daemon.operator<{ data: WatchVersion }>('GET', `/admin/watches/${id}/versions/${n}`)).data;
  }

  async explanation(id: string): Promise<WatchExplanation> {
    return (await this.daemon.operator<{ data: WatchExplanation }>('GET', `/admin/watches/${id}/explanation`)).data;
  }

  #reach(checks: ReadonlyMap<string, number>): Promise<void> {
    return until(`${checks.size} checks`, async () => {
      const reached = new Map((await this.reports()).map((report) => [report.id, report.checks]));
      return [...checks].every(([id, count]) => (reached.get(id) ?? 0) >= count);
    });
  }
}
