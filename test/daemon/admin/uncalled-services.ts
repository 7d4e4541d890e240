import type { CrawlService, IngestService } from '../../../src/daemon/admin/crawl.ts';
import type { Sources } from '../../../src/daemon/crawl/sources.ts';
import type { Metrics } from '../../../src/daemon/metrics/metrics.ts';
import type { Sinks } from '../../../src/daemon/notify/sinks.ts';
import type { DomainRatings } from '../../../src/daemon/ratings/domain-ratings.ts';
import { uncalled } from '../../fixtures/uncalled.ts';

/** What the operator's server has besides accounts, taps and watches. */
export const uncalledServices = {
  sinks: uncalled<Sinks>('sinks'),
  sources: uncalled<Sources>('sources'),
  crawl: uncalled<CrawlService>('crawl'),
  ratings: uncalled<DomainRatings>('ratings'),
  ingest: uncalled<IngestService>('ingest'),
  publicUrl: 'http://127.0.0.1:7878',
  metrics: async (): Promise<Metrics> => uncalled<Metrics>('metrics'),
  status: (): Promise<never> => Promise.reject(new Error('status was called')),
};
