import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settle, TAP, World } from './open-stream.ts';
import { JSON_LINES, SSE, STREAM_ERRORS, formatFor } from '../../../src/daemon/stream/format.ts';

describe('the form of a stream', () => {
  test.each([
    [undefined, SSE],
    ['', SSE],
    ['*/*', SSE],
    ['text/event-stream', SSE],
    ['application/json', SSE],
    ['application/x-ndjson', JSON_LINES],
    ['Application/X-NDJSON; charset=utf-8', JSON_LINES],
    ['text/html, application/x-ndjson;q=0.5', JSON_LINES],
    ['application/x-ndjson;q=0', SSE],
    ['application/x-ndjson;q=nonsense', SSE],
    ['text/event-stream, application/x-ndjson', JSON_LINES],
    ['text/event-stream;q=0.5, application/x-ndjson;q=0.9', JSON_LINES],
    ['text/event-stream, application/x-ndjson;q=0.9', SSE],
  ])('Accept: %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  test('lines of JSON say what the frames say: event, id, data; an empty line is the heartbeat', async () => {
    const world = new World();
    const sink = await world.open({ format: JSON_LINES, limit: 1 });
    world.publish('{"url":"a"}');
    await settle();
    const [connected, update, end, rest] = sink.text.split('\n');
    expect([connected, end, rest]).toEqual(['{"event":"connected","data":{}}', '{"event":"end","data":{}}', '']);
    expect(JSON.parse(update ?? '')).toEqual({
      event: 'update',
      id: '0-0',
      data: { tap_id: TAP, query_ids: ['r'], matched_at: '2026-02-13T08:00:00.000Z', document: { url: 'a' } },
    });
    expect(JSON_LINES.heartbeat.toString()).toBe('\n');
    expect(JSON.parse(JSON_LINES.error('no_rules').toString())).toEqual({
      event: 'error',
      data: { message: STREAM_ERRORS.no_rules, code: 'no_rules' },
    });
  });

  test('readers of both forms get the same events of one tap, and revoking ends both', async () => {
    const world = new World();
    const [events, lines] = await Promise.all([world.open(), world.open({ format: JSON_LINES })]);
    world.publish('{}', '{}');
    await settle();
    expect(events.ids).toEqual(['0-0', '0-1']);
    expect(lines.text.match(/"id":"[^"]+"/g)).toEqual(['"id":"0-0"', '"id":"0-1"']);
    expect(world.hub.retained.taps).toBe(2);
    world.hub.revoke(TAP);
    expect(lines.text).toContain('tap_revoked');
    expect(events.text).toContain('tap_revoked');
    expect(world.hub.retained.taps).toBe(0);
  });

  test('a line is a line whatever stands in the document, and parses to it', () => {
    const text = fc.array(fc.oneof(fc.constantFrom('\u2028', '\u2029', '\u0085', '\n', '\r'), fc.string()));
    fc.assert(
      fc.property(text, (parts) => {
        const document = { url: 'https://h.example/', title: parts.join('') };
        const stored = { offset: 7, at: 0, queryIds: '["r"]', document: JSON.stringify(document) };
        const line = JSON_LINES.update(TAP, 3, stored).toString();
        expect(line).not.toMatch(/[\r\u0085\u2028\u2029]|\n./);
        expect(JSON.parse(line)).toMatchObject({ event: 'update', id: '3-7', data: { document } });
      }),
    );
  });

  test('for older clients each match also carries its first rule as query_id', () => {
    const stored = { offset: 0, at: 0, queryIds: '["a","b"]', document: '{"url":"u"}' };
    const line = JSON.parse(JSON_LINES.update(TAP, 0, stored, true).toString()) as { data: object };
    expect(line.data).toMatchObject({ query_id: 'a', query_ids: ['a', 'b'] });
    expect(JSON_LINES.update(TAP, 0, stored).toString()).not.toContain('"query_id"');
  });
});
