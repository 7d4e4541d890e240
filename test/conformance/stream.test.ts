import { get, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiDocument } from './api-document.ts';
import { event } from '../../src/daemon/analysis/matching.ts';
import { MatchSchema } from '../../src/shared/api/match.ts';
import type { Api } from '../daemon/http/api.ts';
import { HOOK_MS, onEachStore } from './stores.ts';
import { parseStrictly } from '../daemon/stream/strict-parser.ts';
import { seed, visitOf } from '../fixtures/visits.ts';
import { changedPage, ins } from '../shared/match/changed-page.ts';

/** What the specification says of a stream, over a socket: an API, a tap with a rule, and matches that are written for it. */

let api: Api;
let tap: { id: string; token: string };

interface Streamed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: ReturnType<typeof parseStrictly>['events'];
}

/** Reads a stream to its end. */
function stream(query: string, headers: Record<string, string> = {}, token = tap.token): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}`, ...headers }, agent: false };
    const asked = get(`${api.url}/v1/stream?${query}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        const { statusCode: status = 0, headers: answered } = answer;
        const events = status === 200 ? parseStrictly(text).events : [];
        resolve({ status, headers: answered, events });
      });
    });
    asked.on('error', reject);
  });
}

/** A minute passes with each match. */
async function publish(count: number, chunks = [ins('The ferry was late.')]): Promise<void> {
  const { storage, clock, hub } = api.house;
  const visited = await seed(storage.frontier, 'news');
  for (let turn = 0; turn < count; turn++) {
    clock.ms += 60_000;
    const match = event({ tapId: tap.id, ruleIds: ['a', 'b'], chunks }, changedPage({ chunks, title: 'Ferry' }));
    const { events } = await storage.pages.commit(visitOf(visited, { at: clock.ms, events: [match] }));
    hub.announce(events);
  }
}

const ids = ({ events }: Streamed): (string | undefined)[] =>
  events.filter(({ type }) => type === 'update').map(({ id }) => id);

onEachStore((open) => {
  beforeEach(async () => {
    api = await open();
    tap = await api.newTap();
    await api.call('POST', '/v1/rules', tap.token, { value: 'ferry' });
  }, HOOK_MS);
  afterEach(() => api.close(), HOOK_MS);

  describe('a stream', () => {
    test('is connected, then updates, then end, each with the data that the specification names', async () => {
      await publish(2);
      const { status, headers, events } = await stream('offset=0&limit=2');
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
      expect(events.map(({ type }) => type)).toEqual(['connected', 'update', 'update', 'end']);
      expect([events[0]?.data, events.at(-1)?.data]).toEqual(['{}', '{}']);
      expect(JSON.parse(events[1]?.data ?? '')).toEqual({
        tap_id: tap.id,
        query_ids: ['a', 'b'],
        matched_at: '2026-02-27T10:01:00.400Z',
        document: {
          url: 'https://example.com/news',
          title: 'Ferry',
          publish_time: '2026-02-13T07:00:00',
          diff: { chunks: [{ typ: 'ins', text: 'The ferry was late.' }] },
        },
      });
    });

    test('starts by Last-Event-ID, then offset, then since, then live', async () => {
      await publish(4);
      expect(ids(await stream('since=24h&offset=2&limit=1', { 'last-event-id': '0-0' }))).toEqual(['0-1']);
      expect(ids(await stream('since=24h&offset=2&limit=1'))).toEqual(['0-2']);
      expect(ids(await stream('since=90s&limit=2'))).toEqual(['0-2', '0-3']);
      const live = stream('limit=1');
      await expect.poll(() => api.openStreams).toBe(1);
      await publish(1);
      expect(ids(await live)).toEqual(['0-4']);
    });

    test('resumes after the event whose id it is given, without a gap and without a repeat', async () => {
      await publish(5);
      const first = await stream('offset=0&limit=2');
      const last = ids(first).at(-1) ?? '';
      expect(last).toMatch(/^\d+-\d+$/);
      const rest = await stream('limit=3', { 'last-event-id': last });
      expect([...ids(first), ...ids(rest)]).toEqual(['0-0', '0-1', '0-2', '0-3', '0-4']);
    });

    test('has ids on updates alone', async () => {
      await publish(1);
      const { events } = await stream('offset=0&limit=1');
      expect(events.map(({ id }) => id)).toEqual([undefined, '0-0', undefined]);
    });

    test('delivers what matched its own tap and nothing else', async () => {
      const other = await api.newTap('other');
      await api.call('POST', '/v1/rules', other.token, { value: 'tram' });
      await publish(3);
      const theirs = stream('offset=0&timeout=1', {}, other.token);
      expect(ids(await theirs)).toEqual([]);
      expect(ids(await stream('offset=0&limit=3'))).toHaveLength(3);
    });

    test('of a tap without rules is an error event with the advice, and over', async () => {
      const bare = await api.newTap('bare');
      const { status, events } = await stream('', {}, bare.token);
      expect(status).toBe(200);
      expect(events.map(({ type }) => type)).toEqual(['connected', 'error']);
      const data = JSON.parse(events[1]?.data ?? '') as { message: string };
      expect(data.message).toContain('no rules');
      expect(data.message).toContain('POST /v1/rules');
    });

    test('of a paused tap is open and silent, and its token and its buffer stay', async () => {
      await publish(2);
      await api.call('PUT', `/v1/taps/${tap.id}`, api.house.key, { status: 'paused' });
      expect(api.house.index.registered.size).toBe(0);
      expect((await stream('timeout=1')).events.map(({ type }) => type)).toEqual(['connected', 'end']);
      expect(ids(await stream('offset=0&limit=2'))).toEqual(['0-0', '0-1']);
    });

    test('can be opened with any tap of the list: one management key is enough', async () => {
      await publish(1);
      const { body } = await api.call<{ data: { id: string; token: string }[] }>('GET', '/v1/taps', api.house.key);
      const token = body.data.find(({ id }) => id === tap.id)?.token ?? '';
      expect(ids(await stream('offset=0&limit=1', {}, token))).toEqual(['0-0']);
    });

    test('out of credit is a 402 at the opening, with the documented message', async () => {
      await api.house.accounts.credit.set(api.house.organizationId, 0);
      const answer = await api.call('GET', '/v1/stream', tap.token);
      expect(answer.status).toBe(402);
      expect((await ApiDocument.of(api)).faultOf('GET', '/v1/stream', answer)).toEqual([]);
    });
  });

  describe('the payload of an update', () => {
    test('fits its schema, and has neither null nor an empty list, whatever the page lacks', async () => {
      const document = await ApiDocument.of(api);
      const pages = [
        changedPage({}),
        changedPage({ title: 'Ferry', age: null }),
        changedPage({ category: '/News', chunks: [ins('x')] }),
        { ...changedPage({ title: 'Ferry' }), dr: 0 },
      ];
      for (const page of pages) {
        const { queryIds, document: json } = event({ tapId: tap.id, ruleIds: ['a'], chunks: page.change.chunks }, page);
        const matched = {
          tap_id: tap.id,
          query_ids: JSON.parse(queryIds) as unknown,
          matched_at: '',
          document: JSON.parse(json) as unknown,
        };
        expect(document.fits(MatchSchema, matched)).toBe(true);
        expect(json).not.toMatch(/null|\[\]|\{\}/);
      }
    });
  });
});
