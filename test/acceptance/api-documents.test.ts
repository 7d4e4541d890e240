import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Match } from '../../src/shared/api/match.ts';
import type { Rule } from '../../src/shared/api/rule.ts';
import type { TapCreated } from '../../src/shared/api/tap.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';

/** What a client that was written for the older API, or that reads the API's own documents, is given by the real daemon. */

describe('the documents of the API', () => {
  let daemon: RealDaemon;
  beforeAll(async () => {
    daemon = await RealDaemon.start();
  });
  afterAll(() => daemon.dispose());

  test('/openapi.json describes every route that the daemon has, and each route there is answers', async () => {
    const answer = await fetch(`${daemon.notice.url}/openapi.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    const document = (await answer.json()) as {
      openapi: string;
      servers: { url: string }[];
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    const [server] = document.servers;
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({ path, method, statuses: Object.keys(responses) })),
    );
    expect(operations.length).toBeGreaterThan(15);
    for (const { path, method, statuses } of operations) {
      const url = new URL(path.replaceAll(/\{\w+\}/g, 'x'), new URL(server?.url ?? '', daemon.notice.url));
      const { status, body } = await fetch(url, { method: method.toUpperCase() });
      await body?.cancel();
      // Without a key: what is for everybody answers, the rest asks for one.
      expect(statuses, `${method} ${path} → ${status}`).toContain(String(status));
      expect([404, 405, 500], `${method} ${path}`).not.toContain(status);
    }
  });

  test('/ says what this is and where the documents are, and leads a browser to them', async () => {
    const answer = await fetch(daemon.notice.url);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('hydrant'), docs: '/docs' });
    const browser = await fetch(`${daemon.notice.url}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([browser.url, browser.status]).toEqual([`${daemon.notice.url}/docs`, 200]);
    await browser.body?.cancel();
  });

  test('/docs is one page, in its language, with the same routes and a command line for each', async () => {
    const answer = await fetch(`${daemon.notice.url}/docs`);
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toMatch(/<html lang="en">/);
    expect(html).toContain('<meta name="viewport"');
    expect(html).not.toMatch(/<script[^>]+src=|<link[^>]+stylesheet|https?:\/\/(?:fonts|cdn)/);
    const { paths } = (await (await fetch(`${daemon.notice.url}/openapi.json`)).json()) as { paths: object };
    for (const path of Object.keys(paths)) expect(html).toContain(path);
    expect(html.match(/curl /g)?.length).toBeGreaterThanOrEqual(Object.keys(paths).length);
  });
});

test('compat-legacy-match-payload: an older client gets the taps and the events that it reads', async () => {
  const daemon = await RealDaemon.start([...loopback, '--compat-legacy-match-payload', 'on']);
  const site = await ChangingSite.start(1, 95);
  const reader = new SseReader();
  const { url } = daemon.notice;
  const ask = async <Answer>(method: string, path: string, key: string, body: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as Answer;
  };
  try {
    const key = /"management_key":"([^"]+)"/.exec(daemon.log)?.[1] ?? '';
    const { data: tap, token } = await ask<TapCreated>('POST', '/v1/taps', key, { name: 'old' });
    const renamed = await ask<{ data: object }>('PUT', `/v1/taps/${tap.id}`, key, { name: 'older' });
    const known = ['created_at', 'id', 'name', 'token_prefix'];
    expect(Object.keys(tap).toSorted()).toEqual(known);
    expect(Object.keys(renamed.data).toSorted()).toEqual([...known, 'last_used_at', 'rules_count'].toSorted());
    const rules: string[] = [];
    for (const value of ['fox', 'dog OR title:changing']) {
      rules.push((await ask<{ data: Rule }>('POST', '/v1/rules', token, { value, quality: false })).data.id);
    }
    await reader.open(`${url}/v1/stream?offset=0`, token);
    await daemon.hydrant(['crawl', 'add', ...site.urls, '--every', '1s']);
    await until('a match was delivered', () => reader.updates().length > 0);

    const match = JSON.parse(reader.updates()[0]?.data ?? '{}') as LegacyMatch;
    // One event for both rules, and one of them by the older name.
    expect(match.query_ids.toSorted()).toEqual(rules.toSorted());
    expect(match.query_id).toBe(match.query_ids[0]);
    expect(match.document.markdown).toContain('the quick brown fox jumps over dog');
    expect(match.document.diff?.chunks.length).toBeGreaterThan(0);
  } finally {
    reader.close();
    site.close();
    await daemon.dispose();
  }
});

interface LegacyMatch extends Match {
  readonly query_id: string;
  readonly document: Match['document'] & { readonly markdown: string };
}
