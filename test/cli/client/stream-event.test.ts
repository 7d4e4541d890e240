import { describe, expect, it } from 'vitest';
import { parseError, parseStreamStart, parseUpdate } from '../../../src/cli/client/stream-event.ts';

describe('an update', () => {
  it('of the older kind names one query', () => {
    const update = parseUpdate('0-1', '{"query_id":"r1","document":{"url":"u","markdown":"# All"}}');
    expect(update?.match).toEqual({ tap_id: '', query_ids: ['r1'], matched_at: '', document: { url: 'u' } });
    expect(update?.payload).toMatchObject({ document: { markdown: '# All' } });
  });

  it('loses what is not what it should be', () => {
    const chunks = [{ typ: 'ins', text: 'new' }, { typ: 'mov', text: 'x' }, null, { typ: 'del' }];
    const document = { url: 'u', title: 7, language: null, diff: { chunks } };
    const update = parseUpdate('0-1', JSON.stringify({ query_ids: ['r1', 2], document }));
    expect(update?.match.query_ids).toEqual(['r1']);
    expect(update?.match.document).toEqual({ url: 'u', diff: { chunks: [{ typ: 'ins', text: 'new' }] } });
  });

  it.each(['', 'null', '[]', '{}', '{"document":{}}', '{"document":[]}', '{"document":{"url":1}}', '{'])(
    'is no match as %j',
    (data) => {
      expect(parseUpdate('0-1', data)).toBeUndefined();
    },
  );
});

describe('where a stream starts', () => {
  const at = { partition: 0, offset: 900 };
  it.each([
    ['0-900; live', undefined, { at, reason: 'live', gone: undefined }],
    ['0-900; clamped', { partition: 0, offset: 780 }, { at, reason: 'clamped', gone: 120 }],
    ['0-900; clamped', { offset: 899 }, { at, reason: 'clamped', gone: 1 }],
    ['0-900; resumed', { partition: 0, offset: 900 }, { at, reason: 'resumed', gone: undefined }],
    ['0-900; clamped', { partition: 3, offset: 1 }, { at, reason: 'clamped', gone: undefined }],
    ['0-900', undefined, { at, reason: '', gone: undefined }],
    ['soon; live', undefined, undefined],
    [undefined, undefined, undefined],
  ])('%j, asked for %j', (header, wanted, expected) => {
    const headers = header === undefined ? {} : { 'x-stream-start': header };
    expect(parseStreamStart(headers, wanted)).toEqual(expected);
  });

  it('and where the past ends', () => {
    const headers = { 'x-stream-start': '0-900; since', 'x-stream-head': '0-1920' };
    expect(parseStreamStart(headers, undefined)).toMatchObject({ at, head: { partition: 0, offset: 1_920 } });
    expect(parseStreamStart({ ...headers, 'x-stream-head': 'soon' }, undefined)?.head).toBeUndefined();
  });
});

it('an error without a sentence still has one', () => {
  expect(parseError('{"message":"No."}')).toBe('No.');
  expect(parseError('oops')).toMatch(/^the daemon reported an error/);
});
