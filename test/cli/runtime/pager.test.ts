import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { pagerOf, throughPager } from '../../../src/cli/runtime/pager.ts';

function contextOf(environment: Record<string, string>, isTTY: boolean, fd?: number) {
  const stream = Object.assign(new PassThrough(), { isTTY, ...(fd !== undefined && { fd }) });
  return { io: { stdin: stream, stdout: stream, stderr: stream }, environment };
}

describe('the pager', () => {
  test.each([
    [{}, true, 1, 'less'],
    [{ PAGER: 'more -s' }, true, 1, 'more -s'],
    [{ PAGER: '' }, true, 1, undefined],
    [{ PAGER: 'cat' }, true, 1, undefined],
    [{ TERM: 'dumb' }, true, 1, undefined],
    [{ PAGER: 'more' }, false, 1, undefined],
    [{ PAGER: 'more' }, true, undefined, undefined],
  ])('with %j, a terminal: %j on %j, is %j', (environment, isTTY, fd, pager) => {
    expect(pagerOf(contextOf(environment, isTTY, fd))).toBe(pager);
  });

  test.each([[{ PAGER: 'no-such-program-anywhere' }], [{ PAGER: 'cat' }]])(
    'with %j leaves the text to stdout',
    async (environment) => {
      const context = contextOf({ PATH: '/nowhere', ...environment }, true, 1);
      await throughPager(context, 'all of it\n');
      context.io.stdout.end();
      expect(await text(context.io.stdout)).toBe('all of it\n');
    },
  );
});
