import { expect, test } from 'vitest';
import { RecentProblems } from '../../../src/daemon/composition/status.ts';
import { outside } from '../../../src/daemon/outside.ts';

test('losses take the places of the oldest problems, and more losses than places leave none', () => {
  const problems = new RecentProblems(outside);
  const messages = (): string[] => problems.newest.map(({ message }) => message);
  for (const message of ['one', 'two', 'three']) problems.note(message);
  problems.keep('loss 1');
  expect(messages()).toEqual(['three', 'two', 'one', 'loss 1']);
  const losses = Array.from({ length: 11 }, (_, index) => `loss ${index + 1}`);
  for (const loss of losses.slice(1)) problems.keep(loss);
  expect(messages()).toEqual(losses);
});
