import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from '../../../src/cli/client/lane.ts';

async function* giving<Value>(...values: readonly Value[]): AsyncGenerator<Value, void> {
  for (const value of values) {
    await new Promise(setImmediate);
    yield value;
  }
}

async function all<Value>(from: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for await (const value of from) values.push(value);
  return values;
}

describe('streams as one', () => {
  it('have everything of each, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.integer(), { maxLength: 8 }), { maxLength: 5 }), async (lists) => {
        const sources = lists.map((list) => giving(...list));
        const merged = await all(merge<AsyncIterable<number>, number>(sources));
        const of = (source: AsyncIterable<number>) =>
          merged.flatMap((item) => (item.from === source && 'value' in item ? [item.value] : []));
        expect(sources.map(of)).toEqual(lists);
        expect(merged).toHaveLength(lists.flat().length);
      }),
    );
  });

  it('go on when one of them fails', async () => {
    async function* failing(): AsyncGenerator<string, void> {
      yield* giving('a');
      throw new Error('refused');
    }
    const merged = await all(merge<AsyncIterable<string>, string>([failing(), giving('1', '2', '3')]));
    expect(merged.map((item) => ('value' in item ? item.value : String(item.failure))).sort()).toEqual([
      '1',
      '2',
      '3',
      'Error: refused',
      'a',
    ]);
  });

  it('are asked for the next only when the last was handled', async () => {
    const asked: number[] = [];
    async function* counting(): AsyncGenerator<number, void> {
      for (let value = 0; value < 3; value += 1) {
        asked.push(value);
        yield value;
      }
    }
    for await (const item of merge<AsyncIterable<number>, number>([counting()])) {
      expect(asked.at(-1)).toBe('value' in item ? item.value : undefined);
    }
    expect(asked).toEqual([0, 1, 2]);
  });
});
