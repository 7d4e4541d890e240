import { describe, expect, test } from 'vitest';
import { Places } from '../../../src/daemon/crawl/places.ts';

describe('the places of the crawl', () => {
  test('an eighth is left to those that are well; slow ones and failing ones have a share', () => {
    const places = new Places(16);
    expect(places.freeOf).toEqual({ well: 16, new: 14, slow: 4, failing: 2 });
    for (let n = 0; n < 8; n += 1) places.take(`new${n}`, 'new');
    expect(places.freeOf).toEqual({ well: 8, new: 6, slow: 4, failing: 2 });
    for (let n = 0; n < 4; n += 1) places.take(`slow${n}`, 'slow');
    for (let n = 0; n < 2; n += 1) places.take(`dead${n}`, 'failing');
    expect(places.freeOf).toEqual({ well: 2, new: 0, slow: 0, failing: 0 });
    places.end('dead1');
    expect(places.freeOf).toEqual({ well: 3, new: 1, slow: 0, failing: 1 });
  });

  test('those that are well may have them all; then nobody has one', () => {
    const places = new Places(2);
    places.take('a', 'well');
    expect(places.freeOf).toEqual({ well: 1, new: 1, slow: 1, failing: 1 });
    places.take('b', 'well');
    expect([places.free, places.freeOf]).toEqual([0, { well: 0, new: 0, slow: 0, failing: 0 }]);
  });

  test('every class has a place, however few there are', () => {
    expect(new Places(1).freeOf).toEqual({ well: 1, new: 1, slow: 1, failing: 1 });
  });

  test('who has its answer after all is back, without a free place, too', () => {
    const places = new Places(2);
    places.take('a', 'new');
    expect(places.leave('a', 'answer')).toBe(true);
    places.take('b', 'well');
    places.take('c', 'well');
    places.comeBack('a');
    expect([places.free, places.freeOf.well]).toEqual([0, 0]);
    places.end('b');
    expect(places.free).toBe(0);
    places.end('c');
    expect([places.free, places.freeOf]).toEqual([1, { well: 1, new: 0, slow: 0, failing: 0 }]);
    places.leave('a', 'commit');
    places.comeBack('a');
    expect(places.free).toBe(2);
  });

  test('who only waits for an answer leaves its place; not more than 128 at a time do', () => {
    const places = new Places(200);
    for (let n = 0; n < 200; n += 1) places.take(`h${n}`, 'well');
    const left = Array.from({ length: 200 }, (_, n) => places.leave(`h${n}`, 'answer'));
    expect(left.filter(Boolean)).toHaveLength(128);
    expect(places.free).toBe(128);
    expect(places.leave('h0', 'commit')).toBe(false);
    places.end('h0');
    expect([places.leave('h199', 'answer'), places.leave('h150', 'commit'), places.free]).toEqual([true, true, 130]);
  });
});
