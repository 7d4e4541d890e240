import { type ArchivedBody, readArchivedBody } from './archive/archived-body.ts';
import type { Next, Seen } from './crawl/revisit.ts';
import { canonical } from '../shared/page/canonical-url.ts';
import { identityOf } from './discovery/canonical.ts';
import { seedLead } from './discovery/discover.ts';
import { faultPoint } from './fault-points.ts';
import type { PageFinding } from './analysis/findings.ts';
import type { Outside } from './outside.ts';
import { type AnalysisStages, analyze, commit, type VisitReport } from './pipeline.ts';
import { Problem } from './problem.ts';
import { ARCHIVE_SOURCE, type DuePage, type Frontier, type Identity, type Rate } from './storage/frontier.ts';
import type { ArchiveQuestion, Ingested } from '../shared/api/crawl.ts';

/**
 * The other way in: a page out of an archive goes the second half of the path that a fetched one goes (`pipeline.ts`),
 * and its visit was when the archive says. All is analyzed as of then, `age:` and `recent:` too; its events are dated now,
 * and delivered like any other.
 *
 * A page that the crawl does not know comes to a source of its own, which is always paused: an archive never makes the
 * crawl ask for anything. One that it knows keeps its due time, and what its host can bear is no concern of an archive.
 *
 * A record that is not later than the page's last visit is skipped. So a file that is sent again changes nothing, and
 * one that broke off goes on where it was.
 */
export interface IngestDeps extends Omit<AnalysisStages, 'next'> {
  readonly frontier: Pick<Frontier, 'putSource' | 'offer' | 'look'>;
  readonly outside: Pick<Outside, 'now'>;
  /** What the visit tells of how often the page changes. It counts for no budget: nothing is planned by it. */
  readonly next: (due: DuePage, seen: Seen) => Pick<Next, 'rate'>;
  /** What became of a page, for the log. */
  readonly onVisit?: (url: string, report: VisitReport) => void;
}

export class Ingest {
  readonly #deps: IngestDeps;
  readonly #lastOfHost = new Map<string, Promise<unknown>>();
  #source: Promise<void> | undefined;

  constructor(deps: IngestDeps) {
    this.#deps = deps;
  }

  /** Which pages were visited at the time of their record, or later. */
  async known({ records }: ArchiveQuestion): Promise<boolean[]> {
    return Promise.all(
      records.map(async ({ url, at }) => {
        const page = canonical(url);
        if (page === undefined) return false;
        const report = await this.#deps.frontier.look(identityOf(page));
        return isKnown(report?.page, at);
      }),
    );
  }

  /** One `response` or `resource` record. The pages of a host one after another, in the order they come: they share its boilerplate. */
  async add(record: Uint8Array): Promise<Ingested> {
    const body = await readArchivedBody(record);
    if ('left' in body) return skipped(body.left, body.detail);
    const url = canonical(body.url);
    if (url === undefined) return skipped('url');
    const page = identityOf(url);
    const before = this.#lastOfHost.get(page.host) ?? Promise.resolve();
    const turn = before.then(() => this.#visit(url.href, page, body));
    const settled = turn.catch(() => undefined);
    this.#lastOfHost.set(page.host, settled);
    try {
      return await turn;
    } finally {
      if (this.#lastOfHost.get(page.host) === settled) this.#lastOfHost.delete(page.host);
    }
  }

  async #visit(url: string, page: Identity, { at, fetched }: ArchivedBody): Promise<Ingested> {
    const now = this.#deps.outside.now();
    // Recorded, it would hide the page from the crawl until then.
    if (at > now) return skipped('future');
    const due = await this.#page(url, page, now);
    if (due === undefined) return skipped('budget', 'its host already has the most pages of this URL pattern');
    if (isKnown(due, at)) return skipped('known');
    faultPoint('ingest:taken');
    const finding = await this.#found(due, { ...fetched, url }, at);
    if (finding === undefined) throw new Problem('shutting_down', {});
    faultPoint('ingest:judged');
    const next: AnalysisStages['next'] = (page, seen) => ({ nextDue: page.due, rate: this.#rate(page, seen) });
    const report = await commit({ due, finding, at, toldAt: now }, { ...this.#deps, next });
    faultPoint('ingest:committed');
    this.#deps.onVisit?.(url, report);
    const { outcome, events, reason, detail } = report;
    return {
      outcome,
      events: events.length,
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
    };
  }

  /** Offered only when nobody holds it: a page of the crawl would be due at once for its new holder. */
  async #page(url: string, page: Identity, now: number): Promise<DuePage | undefined> {
    const { frontier } = this.#deps;
    const known = await frontier.look(page);
    if (known) return known.page;
    const lead = seedLead(url, false);
    if (lead === undefined) return undefined;
    this.#source ??= frontier.putSource(SOURCE, [], now);
    await this.#source.catch((error: unknown) => {
      this.#source = undefined;
      throw error;
    });
    await frontier.offer([{ sourceId: ARCHIVE_SOURCE, leads: [{ ...lead, kind: 'article' }] }], now);
    return (await frontier.look(page))?.page;
  }

  async #found(due: DuePage, fetched: ArchivedBody['fetched'], at: number): Promise<PageFinding | undefined> {
    if (fetched.hash === due.state?.bodyHash) return { outcome: 'unchanged', bodyHash: fetched.hash };
    return analyze(due, { fetched, at }, this.#deps);
  }

  /** How often the page changes is seen in an archive, too; of the crawl's budget it takes nothing. */
  #rate(due: DuePage, seen: Seen): Rate {
    const { rate } = this.#deps.next(due, seen);
    return due.holders.length === 0 ? { ...rate, pull: 0 } : rate;
  }
}

/** As many as it takes: whoever gives an archive wants all of it. */
const SOURCE = { id: ARCHIVE_SOURCE, everyMs: undefined, maxPages: 2 ** 31 - 1, isPaused: true };

function isKnown(page: DuePage | undefined, at: number): boolean {
  return page?.state !== undefined && page.state.visitedAt >= at;
}

function skipped(reason: string, detail?: string): Ingested {
  return { outcome: 'skipped', events: 0, reason, ...(detail !== undefined && { detail }) };
}
