import { describe, expect, it } from 'vitest';
import { run } from './harness.ts';

/** The hint that a run of these words ends with. */
async function hintOf(words: string): Promise<string> {
  const { code, stderr } = await run(['--json', ...words.split(' ')]);
  expect(code).toBe(2);
  return (JSON.parse(stderr) as { hint: string }).hint;
}

async function helpOf(words: string): Promise<string> {
  const { code, stdout } = await run([...words.split(' '), '--help']);
  expect(code).toBe(0);
  return stdout;
}

describe('a word that is no command is answered by what was probably meant', () => {
  it.each([
    // A verb without its noun, or before it.
    ['list', 'did you mean watch list, crawl list, tap list or rule list?'],
    ['ls', 'did you mean watch list, crawl list, tap list or rule list?'],
    ['new', 'did you mean watch add, crawl add, tap create or rule add?'],
    ['add', 'did you mean watch add, crawl add, tap create or rule add?'],
    ['delete', 'did you mean watch remove, crawl remove, tap revoke or rule remove?'],
    ['rm', 'did you mean watch remove, crawl remove, tap revoke or rule remove?'],
    ['new tap', 'did you mean tap create?'],
    ['list rules', 'did you mean rule list?'],
    ['delete rule', 'did you mean rule remove?'],
    ['search', 'did you mean saved list?'],
    // Another word for a command.
    ['start', 'did you mean serve?'],
    ['ps', 'did you mean status?'],
    ['source', 'did you mean crawl?'],
    ['query', 'did you mean rule?'],
    ['follow', 'did you mean tail?'],
    ['users', 'did you mean member?'],
    ['import', 'did you mean apply?'],
    ['login', 'did you mean context?'],
    ['version', 'did you mean --version?'],
    // Another word for a verb of the noun.
    ['tap erase', 'did you mean revoke?'],
    ['tap new', 'did you mean create?'],
    ['tap get', 'did you mean show?'],
    ['rule new', 'did you mean add?'],
    ['rule erase', 'did you mean remove?'],
    ['rule update', 'did you mean edit?'],
    ['watch erase', 'did you mean remove?'],
    ['watch get', 'did you mean show?'],
    ['crawl erase', 'did you mean remove?'],
    ['key erase', 'did you mean revoke?'],
    ['filter change', 'did you mean edit?'],
    // Slips of the hand.
    ['tpa', 'did you mean tap?'],
    ['srve', 'did you mean serve?'],
    ['stauts', 'did you mean status?'],
    ['doctr', 'did you mean doctor?'],
    ['vaildate', 'did you mean validate?'],
    ['tap lst', 'did you mean list?'],
    ['rule ad', 'did you mean add?'],
    ['rule romove', 'did you mean remove?'],
    ['crawl stats', 'did you mean status?'],
    ['help tap lisst', 'did you mean list?'],
  ])('hydrant %s: %s', async (words, hint) => {
    expect(await hintOf(words)).toBe(hint);
  });

  it.each([
    ['tap ls', 'tap list'],
    ['tap delete', 'tap revoke'],
    ['rule delete', 'rule remove'],
    ['watch rm', 'watch remove'],
    ['crawl explain', 'crawl why'],
    ['watch why', 'watch explain'],
    ['watch logs', 'watch log'],
    ['log', 'logs'],
  ])('hydrant %s is hydrant %s', async (other, usual) => {
    expect(await helpOf(other)).toBe(await helpOf(usual));
  });

  it.each(['frobnicate', 'foo', 'x', 'tap foo', 'rule xyzzy', 'crawl banana', 'watch qqq', 'help foo'])(
    'hydrant %s: by the help, where nothing is near',
    async (words) => {
      expect(await hintOf(words)).toMatch(/^see: hydrant .*--help/);
    },
  );
});
