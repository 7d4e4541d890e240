import type { CrawlStatus, UrlReport, VisitOrder } from '../../shared/api/crawl.ts';
import type { Source, SourceBatch, SourceBatchReport, SourceChange, SourceCreation } from '../../shared/api/source.ts';
import { isBatchReport, isCrawlStatus, isSource, isUrlReport, isVisitOrder } from './crawl-shape.ts';
import type { Asking } from './ratings.ts';
import { listOf } from './shape.ts';

/** The endpoints of the crawl, one method each. @throws as `Client` */
export class CrawlEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async sources(): Promise<Source[]> {
    return this.#asking.ask(listOf(isSource), 'GET', '/admin/sources');
  }

  async add(source: SourceCreation): Promise<Source> {
    return this.#asking.ask(isSource, 'POST', '/admin/sources', source);
  }

  /** At most `SOURCES_A_REQUEST`. */
  async addAll(sources: SourceBatch['sources']): Promise<SourceBatchReport> {
    return this.#asking.ask(isBatchReport, 'POST', '/admin/sources/batch', { sources });
  }

  async change(id: string, change: SourceChange): Promise<Source> {
    return this.#asking.ask(isSource, 'PATCH', pathOf(id), change);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  async status(): Promise<CrawlStatus> {
    return this.#asking.ask(isCrawlStatus, 'GET', '/admin/crawl');
  }

  async why(url: string): Promise<UrlReport> {
    return this.#asking.ask(isUrlReport, 'GET', `/admin/urls?url=${encodeURIComponent(url)}`);
  }

  async visit(url: string): Promise<VisitOrder> {
    return this.#asking.ask(isVisitOrder, 'POST', '/admin/urls/visit', { url });
  }
}

function pathOf(id: string): string {
  return `/admin/sources/${encodeURIComponent(id)}`;
}
