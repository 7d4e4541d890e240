import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { readerFrom } from './sse-reader.ts';
import type { Answer } from '../daemon/http/api.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { ProblemBody } from '../../src/shared/api/problem.ts';
import type { TapCreated } from '../../src/shared/api/tap.ts';

/** What clients of the public API are told, by a real daemon over its port. */
describe('the answers of the API', () => {
  let daemon: RealDaemon;
  let key: string;
  let token: string;
  beforeAll(async () => {
    daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
    ({ key } = await daemon.operator<{ key: string }>('POST', '/admin/keys', { name: 'answers' }));
    ({ token } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: 'answers' }));
  });
  afterAll(() => daemon.dispose());

  async function call<Body = ProblemBody>(
    method: string,
    path: string,
    as: string,
    body?: object,
  ): Promise<Answer<Body>> {
    const response = await fetch(`${daemon.notice.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  test('a misspelt field is accepted, ignored and named; others are ignored', async () => {
    const sent = { value: 'title:harbour', qualty: false, tags: ['x'], comment: 'mine' };
    const { status, body } = await call<{ data: object; warnings: { message: string }[] }>(
      'POST',
      '/v1/rules',
      token,
      sent,
    );
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ value: 'title:harbour', quality: true });
    expect(body.warnings.map(({ message }) => message)).toEqual([
      'The field "qualty" is unknown and was ignored. Did you mean "quality"?',
      'The field "tags" is unknown and was ignored. Did you mean "tag"?',
    ]);
  });

  test.each([
    ['ferry AND titel:harbour', '(at position 10: titel:harbour)'],
    ['title:harb*', '(at position 0: title:harb*)'],
    ['ferry AND age:[0 TO 3600]', '(at position 10: age:[0 TO 3600])'],
    ['dr:[1 TO', '(at position 0: dr:[1 TO)'],
    ['ferry AND $nothing', '(at position 10: $nothing)'],
    ['', '(at position 0)'],
  ])('the refusal of %j ends with the clause and its place', async (value, place) => {
    const { status, body } = await call('POST', '/v1/rules', token, { value });
    expect(status).toBe(422);
    expect(body.message.slice(-place.length)).toBe(place);
    expect(body.diagnostics?.length).toBeGreaterThan(0);
  });

  test('a limit is the organization’s own number, and the command that is named raises it', async () => {
    await daemon.hydrant(['org', 'plan', 'home', '--checks', '0', '--urls', '1']);
    const watch = { url: 'http://127.0.0.1:9/', frequency_minutes: 60 };
    const used = await call('POST', '/v1/url-watch', key, watch);
    expect([used.status, used.body.message]).toEqual([
      422,
      expect.stringMatching(/^Check quota used up\. This organization has its own limit, which allows 0 checks /),
    ]);
    const command = /hydrant (org plan home --checks) <count>$/.exec(used.body.message)?.[1] ?? '';
    await daemon.hydrant([...command.split(' '), '100']);
    expect((await call('POST', '/v1/url-watch', key, watch)).status).toBe(201);
    const full = await call('POST', '/v1/url-watch', key, { ...watch, url: 'http://127.0.0.1:9/b' });
    expect(full.body.message).toBe(
      'Watch limit reached. This organization has its own limit, which allows up to 1 watched URL. ' +
        'The operator can raise this limit with: hydrant org plan home --urls <count>',
    );
  });

  test('openings of a stream that are refused for a parameter do not count', async () => {
    for (let turn = 0; turn < 35; turn += 1) {
      expect((await call('GET', '/v1/stream?since=yesterday', token)).status).toBe(422);
    }
    const { status, headers } = await fetch(`${daemon.notice.url}/v1/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '29']);
  });

  describe('the diff of a page that two rules match', () => {
    let site: Server;
    beforeAll(async () => {
      const news = Array.from(
        { length: 300 },
        (_, at) => `Ferry number ${at} ${'sails from the old pier '.repeat(4)}.`,
      );
      const lines = [...news, 'An octopus was seen.', ...news];
      site = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<title>Harbour</title><main>${lines.map((line) => `<p>${line}</p>`).join('')}</main>`);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => void site.close());

    test('shows the one that hit once as well as the one that hit six hundred times', async () => {
      const { token: own } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: 'two rules' });
      await daemon.operator('POST', '/v1/rules', { value: 'ferry', quality: false }, own);
      await daemon.operator('POST', '/v1/rules', { value: 'octopus', quality: false }, own);
      await daemon.hydrant(['crawl', 'add', `http://127.0.0.1:${(site.address() as AddressInfo).port}/`]);
      const reader = await readerFrom(daemon.notice.url, own);
      await until('the match', () => reader.updates().length > 0);
      reader.close();
      const { query_ids, document } = JSON.parse(reader.updates()[0]?.data ?? '') as Match;
      expect(query_ids).toHaveLength(2);
      const text = document.diff?.chunks.map((chunk) => chunk.text).join('\n') ?? '';
      expect(text).toContain('An octopus was seen.');
      expect(text.match(/Ferry number/g)?.length).toBeGreaterThan(100);
      expect(text.indexOf('Ferry number 1 ')).toBeLessThan(text.indexOf('octopus'));
    });
  });

  describe('the first diff of a short page', () => {
    let site: Server;
    beforeAll(async () => {
      const lines = [
        'The harbour opens at nine.',
        'Bring a coat, it is windy.',
        'The café has cake.',
        'Dogs may come.',
      ];
      site = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<title>Harbour</title><main>${lines.map((line) => `<p>${line}</p>`).join('')}</main>`);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => void site.close());

    test('is the part that carries the match, and not the page', async () => {
      const { token: own } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name: 'short' });
      await daemon.operator('POST', '/v1/rules', { value: 'cake', quality: false }, own);
      await daemon.hydrant(['crawl', 'add', `http://127.0.0.1:${(site.address() as AddressInfo).port}/`]);
      const reader = await readerFrom(daemon.notice.url, own);
      await until('the match', () => reader.updates().length > 0);
      reader.close();
      const { document } = JSON.parse(reader.updates()[0]?.data ?? '') as Match;
      expect(document.diff?.chunks).toEqual([
        { typ: 'ins', text: '…Bring a coat, it is windy.\nThe café has cake.\nDogs may come.' },
      ]);
    });
  });
});
