import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { FakeDaemon, noFetch, noUpkeep, type Ran, run } from '../harness.ts';
import { KINDS, TEAM } from './notify/sink-sample.ts';

const SECRET = 'https://hooks.slack.com/services/T0/B0/hunter2';

let daemon: FakeDaemon;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-secret-'));
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/sink-kinds', 200, { data: KINDS }).on('POST /admin/sinks', 201, { data: TEAM });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await daemon.stop();
});

const ADD = ['notify', 'add', 'team', 'slack'];

const given = (): unknown => daemon.sent('POST /admin/sinks').map(({ body }) => (body as { secrets: object }).secrets);
const hydrant = (words: readonly string[], input = ''): Promise<Ran> =>
  run([...ADD, ...words], { input, env: { HYDRANT_DATA_DIR: daemon.directory } });

/** Types it when it is asked for, as a terminal does. */
async function onTerminal(typed: string): Promise<{ readonly code: number; readonly shown: string }> {
  const terminal = { isTTY: true, columns: 80, setRawMode: () => undefined };
  const stream = () => Object.assign(new PassThrough(), terminal);
  const env = { HYDRANT_DATA_DIR: daemon.directory };
  const io = { stdin: stream(), stdout: stream(), stderr: stream(), env, exit: () => {} };
  const said = Promise.all([text(io.stdout), text(io.stderr)]);
  io.stderr.once('data', () => io.stdin.write(typed));
  const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
  const code = await main(ADD, io, programs);
  io.stdout.end();
  io.stderr.end();
  return { code, shown: (await said).join('') };
}

describe('a secret', () => {
  test('that is typed on a terminal is not shown', async () => {
    const { code, shown } = await onTerminal(`${SECRET}\r`);
    expect(code).toBe(0);
    expect(shown).toContain('the url of slack (not shown): ');
    expect(shown).not.toContain('hunter2');
    expect(given()).toEqual([{ url: SECRET }]);
  });

  test('that is not typed after all changes nothing', async () => {
    const { code, shown } = await onTerminal('\r');
    expect([code, shown]).toEqual([2, expect.stringContaining('the url of slack is empty, so nothing was changed')]);
    expect(given()).toEqual([]);
  });

  test('comes from a file or from stdin, without the end of its line', async () => {
    const file = path.join(directory, 'url.txt');
    writeFileSync(file, `\ufeff${SECRET}\r\n`);
    expect((await hydrant([`@${file}`])).code).toBe(0);
    expect((await hydrant(['-'], `${SECRET}\n`)).code).toBe(0);
    expect(given()).toEqual([{ url: SECRET }, { url: SECRET }]);
  });

  test.each([
    [[SECRET], '', /is a secret, and words of a command are seen by other users/],
    [['@'], '', /is a secret/],
    [['-'], ' \n', /is empty, so nothing was changed/],
    [['@/nope/url.txt'], '', /^error: cannot read \/nope\/url\.txt: no such file or directory/],
  ])('given as %j is refused, and not repeated', async (words, input, error) => {
    const { code, stderr } = await hydrant(words, input);
    expect([code, stderr]).toEqual([2, expect.stringMatching(error)]);
    expect(stderr).not.toContain('hunter2');
    expect(given()).toEqual([]);
  });
});
