import { expect, test } from 'vitest';
import { validate } from '../../src/shared/query/validate.ts';
import { page, world } from './pipeline-world.ts';

test('a page that fits a rule and is kept from it is told with the reason, and is no part of what is stored', async () => {
  const it = await world();
  const { query } = validate('harbour');
  if (!query) throw new Error('the query is refused');
  it.analysis.register({ id: 'fresh', tapId: 'tap', query, quality: true, nsfw: false });
  it.rule('any', 'harbour');
  it.serve(page('The harbour opens at nine.'));
  const report = await it.visit();
  expect(report).toMatchObject({ events: 1, notes: { missedBy: [{ ruleId: 'fresh', reason: 'no_date' }] } });
  expect(it.commits[0]).not.toHaveProperty('missedBy');
  it.later();
  expect(await it.visit()).not.toHaveProperty('missedBy');
});
