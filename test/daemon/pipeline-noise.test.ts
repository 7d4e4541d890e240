import { describe, expect, test } from 'vitest';
import { minute, page, world } from './pipeline-world.ts';

describe('the path of a page that changes by itself', () => {
  test('a page that truly shrank is news once; one that comes and goes is never', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const lines = Array.from({ length: 30 }, (_, index) => `Ferry ${index} leaves the harbour at noon.`);
    const outcomes: string[] = [];
    const visits = async (...pages: readonly (readonly string[])[]): Promise<void> => {
      for (const [index, texts] of pages.entries()) {
        it.serve(`<!-- ${index} -->${page(...texts)}`);
        outcomes.push((await it.visit())?.outcome ?? '');
        it.now = (await it.known()).due;
      }
    };
    await visits(lines, ['Loading.'], lines, ['Loading.'], lines, ['Loading.'], lines);
    expect(outcomes).toEqual(['changed', 'failed', 'unchanged', 'failed', 'unchanged', 'failed', 'unchanged']);
    await visits(['Closed.'], ['Closed.'], ['Closed for ever.'], ['Closed.']);
    expect(outcomes.slice(7)).toEqual(['failed', 'changed', 'changed', 'changed']);
  });

  test('a page that is empty is none, however often: what it said before stays the baseline', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('The harbour opens at nine.'));
    await it.visit();
    for (let visit = 0; visit < 3; visit += 1) {
      it.later();
      it.serve(`<body><!-- ${visit} --></body>`);
      expect(await it.visit()).toMatchObject({ outcome: 'failed', reason: 'empty' });
    }
    it.later();
    it.serve(`<!-- back -->${page('The harbour opens at ten.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('what takes turns is no event, and the visit says so; what comes back after a day is one', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    const reports: unknown[] = [];
    const turn = async (name: string, pause: number): Promise<void> => {
      it.now += pause;
      it.serve(page('Quotes.', `A sentence that ${name} once said of ferries.`, 'More.'));
      const report = await it.visit();
      reports.push(report?.notes?.ignored ?? report?.outcome);
    };
    for (const name of ['Ann', 'Bob', 'Cleo', 'Ann', 'Bob']) await turn(name, 10 * minute);
    await turn('Cleo', 24 * 60 * minute);
    expect(reports).toEqual(['changed', 'changed', 'changed', ['rotates'], ['rotates'], 'changed']);
  });
});
