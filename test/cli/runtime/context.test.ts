import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connection, Environment, GlobalFlags } from '../../../src/cli/runtime/context.ts';
import { makeContext } from '../../../src/cli/runtime/process-context.ts';
import { noFetch, noUpkeep } from '../harness.ts';

const key = `svcm_${'k'.repeat(40)}`;
const token = `svc_${'t'.repeat(40)}`;
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'hydrant-context-'));
});
afterEach(async () => rm(directory, { recursive: true }));

async function resolve(flags: GlobalFlags, env: Environment = {}, input = ''): Promise<Connection> {
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env, exit: () => {} };
  io.stdin.end(input);
  const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
  return makeContext(io, programs, new AbortController().signal).resolve(flags);
}

describe('the daemon on this machine', () => {
  const notice = (): Promise<void> => writeFile(`${directory}/daemon.json`, '{"socket":"/run/h.sock"}');

  test('is found through its data directory, and makes the operator', async () => {
    await notice();
    for (const [flags, env] of [
      [{ dataDir: directory }, {}],
      [{}, { HYDRANT_DATA_DIR: directory }],
      // The flag is nearer than the environment.
      [{ dataDir: directory }, { HYDRANT_URL: 'http://elsewhere.example', HYDRANT_DATA_DIR: '/other' }],
    ] as const) {
      expect(await resolve(flags, env)).toEqual({
        target: { kind: 'socket', path: '/run/h.sock' },
        credential: { kind: 'operator' },
        label: directory,
      });
    }
  });

  test('is looked for where XDG says', async () => {
    await expect(resolve({}, { XDG_DATA_HOME: directory })).rejects.toThrow(
      `no daemon is running in ${directory}/hydrant`,
    );
    await expect(resolve({}, { HOME: directory })).rejects.toThrow(`${directory}/.local/share/hydrant`);
    await expect(resolve({}, {})).rejects.toThrow('HOME is not set');
  });

  test('with a damaged notice is an error that names the file', async () => {
    await writeFile(`${directory}/daemon.json`, '{"socket":');
    await expect(resolve({ dataDir: directory })).rejects.toThrow(`${directory}/daemon.json is damaged`);
  });

  test.skipIf(process.getuid?.() === 0)('of another user says so (skipped for root, whom no mode stops)', async () => {
    await notice();
    await chmod(`${directory}/daemon.json`, 0);
    await expect(resolve({ dataDir: directory })).rejects.toThrow('belongs to another user');
  });
});

describe('a daemon elsewhere', () => {
  const url = 'https://water.example/hydrant/';

  test('takes its key from the environment, a file or stdin', async () => {
    await writeFile(`${directory}/key`, `${key}\n`);
    const manager = { kind: 'manager', key };
    expect(await resolve({ url }, { HYDRANT_KEY: key })).toEqual({
      target: { kind: 'url', url: 'https://water.example/hydrant' },
      credential: manager,
      label: 'water.example',
    });
    expect(await resolve({ url, keyFile: `${directory}/key` })).toMatchObject({ credential: manager });
    expect(await resolve({ url, keyFile: '-' }, {}, `${key}\n`)).toMatchObject({ credential: manager });
    expect(await resolve({}, { HYDRANT_URL: url, HYDRANT_TAP_TOKEN: token })).toMatchObject({
      credential: { kind: 'tap', token },
    });
  });

  test('knows a key by its prefix, whatever the variable', async () => {
    expect(await resolve({ url }, { HYDRANT_KEY: token })).toMatchObject({ credential: { kind: 'tap', token } });
  });

  test.each([
    [{ url }, {}, 'a key is needed for https://water.example/hydrant'],
    [{ url: 'water' }, {}, 'is not the address of a daemon'],
    [{ url: 'ftp://water.example' }, {}, 'is not the address of a daemon'],
    [{ url: 'https://me:secret@water.example' }, {}, 'keys go into HYDRANT_KEY'],
    [{ url }, { HYDRANT_KEY: 'hello' }, 'HYDRANT_KEY contains no key'],
    [{ url, keyFile: '/nowhere' }, {}, 'cannot read --key-file /nowhere: no such file or directory (ENOENT)'],
    [{ url, keyFile: '-' }, {}, 'stdin contains no key'],
  ])('%j with %j is a usage error', async (flags, env, message) => {
    await expect(resolve(flags, env)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });

  test('never repeats a wrong key in its error', async () => {
    const failure = await resolve({ url }, { HYDRANT_KEY: 'my-secret-password' }).catch((error: unknown) => error);
    expect(JSON.stringify([failure, String(failure)])).not.toContain('my-secret');
  });
});
