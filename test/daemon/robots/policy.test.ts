import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../../src/daemon/fetch/names.ts';
import type { Fetcher, FetchFailure, RobotsAnswer } from '../../../src/daemon/fetch/fetched.ts';
import { closedBy, copyOf, decide, isFresh } from '../../../src/daemon/robots/robots.ts';
import { parseRobots } from '../../../src/daemon/robots/parse.ts';
import type { RobotsCopy } from '../../../src/daemon/storage/robots-copies.ts';
import { ROBOTS_TXT_BYTES } from '../../../src/shared/limits.ts';
import { fetcherFor, never, Site } from '../fetch/site.ts';
import { type RobotsHttpVector, robotsHttpVectors } from './vectors.ts';

const DAY_S = 86_400;
const RULES = 'User-agent: *\nDisallow: /a\n';
const NOW = 1_000_000_000_000;

/** What a copy comes to, as the vectors say it: by what it makes of `/a` and `/b`. */
function effect(copy: RobotsCopy, now = NOW): string {
  if (closedBy(copy, now)) return 'disallow-all';
  const allows = (path: string): boolean =>
    decide(parseRobots(copy.file ?? new Uint8Array(), 'hydrant'), new URL(path, 'http://a.test')).isAllowed;
  if (!allows('/b')) throw new Error('no vector disallows /b');
  return allows('/a') ? 'allow-all' : 'rules';
}

/** The vector as a real server, and what the real fetcher makes of it. */
async function answerTo(vector: RobotsHttpVector): Promise<RobotsAnswer | FetchFailure> {
  const { origin, fetcher } = await served(vector);
  return fetcher.fetchRobots(`${origin}/robots.txt`, never());
}

interface Served {
  readonly origin: string;
  readonly fetcher: Fetcher;
}

async function served(vector: RobotsHttpVector): Promise<Served> {
  return vector.error === undefined
    ? { origin: await answering(vector), fetcher: fetcherFor() }
    : failing(vector.error);
}

async function failing(error: NonNullable<RobotsHttpVector['error']>): Promise<Served> {
  switch (error) {
    case 'dns-failure': {
      const resolve: Resolve = async () => {
        throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      };
      return { origin: 'http://nowhere.test', fetcher: fetcherFor({ resolve }) };
    }
    case 'connection-refused':
      return { origin: 'http://127.0.0.1:1', fetcher: fetcherFor() };
    case 'timeout': {
      const site = await Site.http(() => undefined);
      return { origin: site.url(''), fetcher: fetcherFor({ deadlineMs: 100 }) };
    }
    case 'tls-failure': {
      const site = await Site.https((_, response) => response.end(RULES));
      return { origin: site.url('').replace('http:', 'https:'), fetcher: fetcherFor() };
    }
    case 'reset-mid-body': {
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nUser-agent: *\n';
      const site = await Site.raw((socket) => socket.end(answer));
      return { origin: site.url(''), fetcher: fetcherFor() };
    }
  }
}

async function answering({ status = 200, redirects = 0, ...vector }: RobotsHttpVector): Promise<string> {
  const other = await Site.http((request, response) => {
    const left = Number(new URL(request.url ?? '', 'http://a.test').searchParams.get('left'));
    if (left > 1) response.writeHead(301, { location: `/moved?left=${left - 1}` }).end();
    else response.writeHead(status, { 'content-type': vector.content_type ?? 'text/plain' }).end(bodyOf(vector));
  }, '127.0.0.2');
  const site = await Site.http((_, response) => {
    if (redirects > 0) response.writeHead(301, { location: other.url(`/moved?left=${redirects}`) }).end();
    else response.writeHead(status).end(bodyOf(vector));
  });
  return site.url('');
}

function bodyOf({ body = '', body_bytes: bytes = 0, rule_at_byte: at = 0 }: Partial<RobotsHttpVector>): string {
  if (bytes === 0) return body;
  const line = `#${'x'.repeat(98)}\n`;
  return (line.repeat(at / 100 + 1) + RULES + line.repeat((bytes - at) / 100)).slice(0, bytes);
}

const formerly = (ageSeconds: number, different: Partial<RobotsCopy>): RobotsCopy => ({
  origin: 'http://a.test',
  askedAt: NOW - ageSeconds * 1_000,
  expiresAt: NOW,
  file: undefined,
  unreachable: undefined,
  ...different,
});

describe('an answer to the request for robots.txt', () => {
  const plain = robotsHttpVectors.filter((vector) => !('had_copy_age_s' in vector) && !('unreachable_for_s' in vector));
  const expected: Readonly<Record<string, readonly string[]>> = {
    'rule-applies': ['rules'],
    'rule-may-be-ignored': ['allow-all'],
  };

  test.each(plain)('$id: $expect', async (vector) => {
    const copy = copyOf('http://a.test', await answerTo(vector), undefined, NOW);
    expect(expected[vector.expect] ?? [vector.expect]).toContain(effect(copy));
    expect(copy.file?.length ?? 0).toBeLessThanOrEqual(ROBOTS_TXT_BYTES);
    const { cache_max_s: most = DAY_S } = vector;
    expect(copy.expiresAt).toBeLessThanOrEqual(NOW + most * 1_000);
    expect(copy.expiresAt).toBeGreaterThan(NOW);
  });

  test('the vectors that are left are those of the past', () => {
    const rest = robotsHttpVectors.filter((vector) => !plain.includes(vector)).map(({ id }) => id);
    expect(rest).toEqual(['h.stale', 'h.unreachable-30d']);
  });

  test('h.stale: the last file holds while it cannot be had, also after a day', async () => {
    const vector = robotsHttpVectors.find(({ id }) => id === 'h.stale');
    if (!vector) throw new Error('there is no such vector');
    const answer = await answerTo(vector);
    for (const age of [vector.had_copy_age_s ?? 0, 3 * DAY_S]) {
      const copy = copyOf('http://a.test', answer, formerly(age, { file: Buffer.from(RULES) }), NOW);
      expect(effect(copy)).toBe(vector.expect);
      expect(effect(copy, NOW + 40 * DAY_S * 1_000)).toBe('rules');
    }
  });

  test('h.unreachable-30d: a host that could not be asked for a month is one without a file', async () => {
    const vector = robotsHttpVectors.find(({ id }) => id === 'h.unreachable-30d');
    if (!vector) throw new Error('there is no such vector');
    const answer = await answerTo(vector);
    const since = NOW - (vector.unreachable_for_s ?? 0) * 1_000;
    const former = formerly(DAY_S, { unreachable: { since, reason: 'robots', detail: 'the server answered 503' } });
    expect(effect(copyOf('http://a.test', answer, former, NOW))).toBe('allow-all');
    expect(effect(copyOf('http://a.test', answer, { ...former, file: Buffer.from(RULES) }, NOW))).toBe('rules');
    const slept = { ...former, askedAt: since };
    expect(effect(copyOf('http://a.test', answer, slept, NOW))).toBe('disallow-all');
  });
});

describe('asking again', () => {
  const failed: FetchFailure = { outcome: 'failed', reason: 'dns', detail: 'no address' };
  const answered = (status: number, retryAfterMs?: number): RobotsAnswer => ({
    outcome: 'answered',
    bytes: new Uint8Array(),
    answer: { host: 'a.test', status, ms: 1, bytes: 0, address: '192.0.2.1', ...(retryAfterMs && { retryAfterMs }) },
  });

  test('each wait is about twice the one before, up to six hours', () => {
    let now = NOW;
    let copy: RobotsCopy | undefined;
    const waits: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) {
      copy = copyOf('http://a.test', failed, copy, now);
      waits.push((copy.expiresAt - now) / 60_000);
      now = copy.expiresAt;
    }
    expect(waits).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
  });

  test.each([
    [undefined, 60],
    [30, 60],
    [7_200, 7_200],
    [999_999, DAY_S],
  ])('Retry-After of %s seconds', (seconds, wait) => {
    const busy = answered(503, seconds && seconds * 1_000);
    expect(copyOf('http://a.test', busy, undefined, NOW).expiresAt).toBe(NOW + wait * 1_000);
  });

  test('what we refuse ourselves is tried again each minute: the operator may have opened it', () => {
    const refused: FetchFailure = { outcome: 'failed', reason: 'private_address', detail: '10.0.0.1' };
    const former = formerly(60, { unreachable: { since: NOW - DAY_S * 1_000, reason: 'private_address', detail: '' } });
    expect(copyOf('http://a.test', refused, former, NOW).expiresAt).toBe(NOW + 60_000);
  });

  test('a site that took its file away is one without, also when it cannot be reached afterwards', () => {
    const copy = copyOf('http://a.test', answered(404), formerly(DAY_S, { file: Buffer.from(RULES) }), NOW);
    expect(effect(copy)).toBe('allow-all');
    expect(effect(copyOf('http://a.test', failed, copy, NOW))).toBe('disallow-all');
  });

  test('a part of a file is none', () => {
    expect(effect(copyOf('http://a.test', answered(206), undefined, NOW))).toBe('disallow-all');
  });

  test('a copy is fresh from when it was asked for until it expires, by any clock', () => {
    const copy = formerly(0, { expiresAt: NOW + 1_000 });
    expect([NOW - 1, NOW, NOW + 999, NOW + 1_000].map((now) => isFresh(copy, now))).toEqual([false, true, true, false]);
  });
});
