import { describe, expect, test } from 'vitest';
import { readParameters, type StreamParameters } from '../../../src/daemon/stream/request.ts';
import { Problem } from '../../../src/daemon/problem.ts';

function refusal(query: Record<string, unknown>, lastEventId?: string): { field: string; message: string } {
  try {
    readParameters(query, lastEventId);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_field')
      return error.facts as { field: string; message: string };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the parameters of a stream', () => {
  test('without any, a stream is live, lasts 300 s and has no limit', () => {
    expect(readParameters({}, undefined)).toEqual({
      position: { lastEventId: undefined, offset: undefined, sinceMs: undefined },
      timeoutMs: 300_000,
      limit: Number.POSITIVE_INFINITY,
    });
  });

  test.each<[Record<string, string>, Partial<StreamParameters>]>([
    [{ timeout: '1' }, { timeoutMs: 1_000 }],
    [{ timeout: '300' }, { timeoutMs: 300_000 }],
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '10000' }, { limit: 10_000 }],
    [{ offset: '0' }, { position: { lastEventId: undefined, offset: 0, sinceMs: undefined } }],
    [{ since: '5m' }, { position: { lastEventId: undefined, offset: undefined, sinceMs: 300_000 } }],
    [{ since: '24h' }, { position: { lastEventId: undefined, offset: undefined, sinceMs: 86_400_000 } }],
    [{ since: '86400s' }, { position: { lastEventId: undefined, offset: undefined, sinceMs: 86_400_000 } }],
    [{ unknown: 'x' }, { timeoutMs: 300_000 }],
  ])('%o is accepted', (query, expected) => {
    expect(readParameters(query, undefined)).toMatchObject(expected);
  });

  test.each([
    ...['0', '301', '-1', '1.5', '1e2', '', ' 5', '5s', 'abc', '99999999999999999999'].map((value) => [
      'timeout',
      value,
    ]),
    ...['0', '10001', '-1', '', 'all'].map((value) => ['limit', value]),
    ...['-1', '1.5', '', '0-5', '9999999999999999', '0x10'].map((value) => ['offset', value]),
    ...['', '5', 'm', '0m', '25h', '1441m', '86401s', '1d', '-5m', '5M', '5 m', '1h30m'].map((value) => [
      'since',
      value,
    ]),
  ] as [string, string][])('%s=%j is refused by name', (field, value) => {
    const facts = refusal({ [field]: value });
    expect(facts.field).toBe(field);
    expect(facts.message).toContain(field);
  });

  test('since reaches as far as the operator may ask, on his own socket alone', () => {
    const week = { since: '604800s' };
    expect(readParameters(week, undefined, 90 * 86_400).position).toMatchObject({ sinceMs: 604_800_000 });
    expect(() => readParameters({ since: '2161h' }, undefined, 90 * 86_400)).toThrow(Problem);
    expect(refusal(week)).toMatchObject({ field: 'since', message: expect.stringContaining('from 1s to 24h') });
  });

  test.each(['timeout', 'limit', 'offset', 'since'])('%s given twice is refused', (field) => {
    expect(refusal({ [field]: ['1', '1'] })).toMatchObject({ field });
  });

  test('a Last-Event-ID is partition and offset; an empty one is none', () => {
    expect(readParameters({}, '0-1842').position.lastEventId).toEqual({ partition: 0, offset: 1_842 });
    expect(readParameters({}, '').position.lastEventId).toBeUndefined();
  });

  test.each(['1842', '0-', '-5', '0-x', '0-1, 0-2', '0-1-2', 'abc', '0-9999999999999999'])(
    'the Last-Event-ID %j is refused by name',
    (value) => {
      expect(refusal({}, value)).toMatchObject({ field: 'Last-Event-ID' });
    },
  );

  test('lastEventId in the query stands for the header where there is none', () => {
    expect(readParameters({ lastEventId: '0-7' }, undefined).position.lastEventId).toEqual({ partition: 0, offset: 7 });
    expect(readParameters({ lastEventId: '0-7' }, '').position.lastEventId).toEqual({ partition: 0, offset: 7 });
    expect(readParameters({ lastEventId: '0-7' }, '0-9').position.lastEventId).toEqual({ partition: 0, offset: 9 });
    expect(readParameters({ lastEventId: '' }, undefined).position.lastEventId).toBeUndefined();
    expect(refusal({ lastEventId: 'x' }, '0-9')).toMatchObject({ field: 'lastEventId' });
    expect(refusal({ lastEventId: ['0-1', '0-1'] })).toMatchObject({ field: 'lastEventId' });
  });

  test('a value that another overrules is still checked', () => {
    expect(refusal({ since: 'yesterday' }, '0-5')).toMatchObject({ field: 'since' });
  });
});
