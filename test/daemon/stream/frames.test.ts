import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictly } from './strict-parser.ts';
import { SSE, STREAM_ERRORS, type StreamErrorCode } from '../../../src/daemon/stream/format.ts';

const TAP = '4f0c7c1e-7d52-4f0a-9a39-0a0c6d9d8c11';
const AT = Date.UTC(2026, 1, 13, 8, 6, 32, 123);

function parsed(bytes: Buffer): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => expect.fail(error.message),
  });
  parser.feed(bytes.toString('utf8'));
  return events;
}

describe('the frames of a stream', () => {
  test('an update is exactly three lines and a blank one', () => {
    const event = { offset: 12, at: AT, queryIds: '["a","b"]', document: '{"url":"https://example.com/"}' };
    expect(SSE.update(TAP, 0, event).toString()).toBe(
      `id: 0-12\nevent: update\ndata: {"tap_id":"${TAP}","query_ids":["a","b"],` +
        '"matched_at":"2026-02-13T08:06:32.123Z","document":{"url":"https://example.com/"}}\n\n',
    );
  });

  test('the other frames carry no id, and an empty object or a reason', () => {
    expect(SSE.connected(2_718).toString()).toBe('retry: 2718\nevent: connected\ndata: {}\n\n');
    expect(SSE.end.toString()).toBe('event: end\ndata: {}\n\n');
    expect(SSE.heartbeat.toString()).toBe(':\n');
    expect(SSE.error('no_rules').toString()).toBe(
      'event: error\ndata: {"message":"This tap has no rules. Create rules via POST /v1/rules.","code":"no_rules"}\n\n',
    );
  });

  test('every error code has its sentence', () => {
    for (const code of Object.keys(STREAM_ERRORS) as StreamErrorCode[]) {
      const [event] = parsed(SSE.error(code));
      expect(event).toMatchObject({ event: 'error', id: undefined });
      expect(JSON.parse(event?.data ?? '')).toEqual({ message: STREAM_ERRORS[code], code });
    }
  });

  test('two parsers read back any document, whatever stands in it', () => {
    const nasty = fc.constantFrom(
      '\u2028',
      '\u2029',
      '\r',
      '\n',
      '\r\n\r\n',
      '\0',
      '\uFEFF',
      'data: x',
      ':',
      '\uD83D\uDE00',
      '\uD800',
    );
    const text = fc.oneof(nasty, fc.string({ unit: 'binary' }));
    const document = fc.record({ url: fc.webUrl(), title: fc.array(text).map((parts) => parts.join('')) });
    const offset = fc.nat();
    const partition = fc.nat({ max: 1_000 });
    fc.assert(
      fc.property(document, fc.array(text), offset, partition, (document, ids, offset, partition) => {
        const stored = { offset, at: AT, queryIds: JSON.stringify(ids), document: JSON.stringify(document) };
        const frame = SSE.update(TAP, partition, stored);
        const match = { tap_id: TAP, query_ids: ids, matched_at: '2026-02-13T08:06:32.123Z', document };
        const strict = parseStrictly(frame.toString('utf8'));
        expect(strict).toMatchObject({ comments: [], retries: [], rest: '' });
        for (const [first, ...more] of [strict.events, parsed(frame)]) {
          expect(more).toEqual([]);
          expect(first?.id).toBe(`${partition}-${offset}`);
          expect(JSON.parse(first?.data ?? '')).toEqual(match);
        }
      }),
    );
  });

  test('white space between the tokens of stored JSON cannot forge a frame', () => {
    const document = '{"url":"https://example.com/",\n\r\n"title":"a\u2028b"}';
    const frame = SSE.update(TAP, 0, { offset: 0, at: AT, queryIds: '[\n"a"]', document });
    const { events, rest } = parseStrictly(frame.toString());
    expect(rest).toBe('');
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
      { query_ids: ['a'], document: { title: 'a\u2028b' } },
    ]);
  });
});
