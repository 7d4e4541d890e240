import { describe, expect, test } from 'vitest';
import { findTap } from '../../../src/cli/client/found.ts';
import { NotFound } from '../../../src/cli/runtime/failure.ts';
import { OTHER_TAP, TAP } from '../harness.ts';

describe('a tap', () => {
  test('is found by name, id, or a beginning of its id', () => {
    const taps = [TAP, OTHER_TAP];
    for (const wanted of ['news', TAP.id, '4f1c2']) expect(findTap(taps, wanted)).toBe(TAP);
  });

  test('goes without saying when it is the only one', () => {
    expect(findTap([TAP], undefined)).toBe(TAP);
  });

  test('that is named ambiguously, wrongly or not at all is an error that lists the candidates', () => {
    const taps = [TAP, OTHER_TAP];
    expect(() => findTap(taps, '4f1c')).toThrow('`4f1c` is 2 taps; specify one: news (4f1c2ab8), jobs (4f1c9999)');
    expect(() => findTap(taps, undefined)).toThrow('there are 2 taps; specify one: news (4f1c2ab8), jobs (4f1c9999)');
    expect(() => findTap(taps, 'nws')).toThrow(NotFound);
    expect(() => findTap(taps, '')).toThrow(NotFound);
    expect(() => findTap([], undefined)).toThrow('there is no tap yet');
    expect(() => findTap([], 'news')).toThrow('there is no tap yet');
  });
});
