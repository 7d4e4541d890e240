import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { type CrawlService, crawlRoutes } from '../../../src/daemon/admin/crawl.ts';
import { createApp } from '../../../src/daemon/http/app.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import type { UrlReport } from '../../../src/shared/api/crawl.ts';
import { crawlFigures } from '../../fixtures/crawl-figures.ts';
import { RecordingLog } from '../http/api.ts';

const report: UrlReport = {
  url: 'https://a.example/?q=1&r=%26',
  host: 'a.example',
  trap: null,
  sources: [],
  robots: { verdict: 'unknown', detail: null },
  page: null,
};

class FakeCrawl implements CrawlService {
  readonly asked: string[] = [];
  async status() {
    return crawlFigures;
  }
  history() {
    return { day_seconds: 900, week_seconds: 3_600, day: [null], week: [null] };
  }
  async why(url: string) {
    this.asked.push(url);
    return report;
  }
  async visit(url: string) {
    if (url === 'https://none.example/') throw new Problem('url_not_held', { url });
    return { url, last_visit_ms: null, paused: false };
  }
}

let crawl: FakeCrawl;
let app: FastifyInstance;
beforeEach(() => {
  crawl = new FakeCrawl();
  app = createApp(new RecordingLog());
  crawlRoutes(app, crawl);
});
afterEach(() => app.close());

describe('/admin/crawl and /admin/urls', () => {
  test('tell the figures', async () => {
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/admin/crawl' });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { data: crawlFigures }]);
  });

  test('tell of one URL, whatever stands in it', async () => {
    const answer = await app.inject({ method: 'GET', url: '/admin/urls', query: { url: report.url } });
    expect(JSON.parse(answer.body)).toEqual({ data: report });
    expect(crawl.asked).toEqual([report.url]);
  });

  test('want a URL', async () => {
    const answer = await app.inject({ method: 'GET', url: '/admin/urls' });
    expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([
      422,
      { errors: { url: ['The url parameter is required.'] } },
    ]);
  });

  test('visit a page now, and say when no source holds it', async () => {
    const visit = (url: string) => app.inject({ method: 'POST', url: '/admin/urls/visit', body: { url } });
    expect(JSON.parse((await visit(report.url)).body)).toEqual({
      data: { url: report.url, last_visit_ms: null, paused: false },
    });
    const refused = await visit('https://none.example/');
    expect([refused.statusCode, JSON.parse(refused.body)]).toEqual([
      404,
      { message: 'No source contains https://none.example/.' },
    ]);
  });
});
