import { expect, test } from 'vitest';
import { validate } from '../../src/shared/query/validate.ts';
import { page, world } from './pipeline-world.ts';

test('a page that says a date more than a day ahead is kept from a rule for that, and not for having none', async () => {
  const it = await world();
  const { query } = validate('harbour');
  if (!query) throw new Error('the query is refused');
  it.analysis.register({ id: 'fresh', tapId: 'tap', query, quality: true, nsfw: false });
  it.rule('any', 'harbour');
  it.serve(
    `<meta property="article:published_time" content="2031-02-13T08:00:00Z">${page('The harbour opens at nine.')}`,
  );
  const report = await it.visit();
  expect(report).toMatchObject({ events: 1, notes: { missedBy: [{ ruleId: 'fresh', reason: 'future_date' }] } });
});

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
