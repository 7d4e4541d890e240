import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, KEY, type Ran, run, type RunOptions } from '../../harness.ts';

let daemon: FakeDaemon;
const secret = `svcm_${'k'.repeat(40)}`;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/keys', 200, { data: [KEY] }).on('POST /admin/keys', 201, { data: KEY, key: secret });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

describe('hydrant key', () => {
  test('list shows no more of a key than its beginning', async () => {
    expect((await hydrant('keys ls')).stdout).toBe('k-1\tlaptop\tsvcm_Yk3a\tadmin\t2026-02-27T00:00:00+00:00\n');
  });

  test('create prints the key alone, and says that it is the only time', async () => {
    const { stdout, stderr } = await hydrant('key create laptop');
    expect(daemon.sent('POST /admin/keys')[0]?.body).toEqual({ name: 'laptop' });
    expect(stdout).toBe(`${secret}\n`);
    expect(stderr).toContain('shown only now');
    expect((await hydrant('key create laptop -q')).stdout).toBe(`${secret}\n`);
    expect(JSON.parse((await hydrant('key create laptop --json')).stdout)).toEqual({ ...KEY, key: secret });
  });

  test('revoke needs a yes', async () => {
    daemon.on('DELETE /admin/keys/k-1', 204);
    expect(await hydrant('key revoke laptop')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(daemon.sent('DELETE /admin/keys/k-1')).toHaveLength(0);
    expect(await hydrant('key revoke laptop -y')).toMatchObject({ code: 0, stderr: 'key laptop revoked\n' });
    expect(daemon.sent('DELETE /admin/keys/k-1')).toHaveLength(1);
  });
});
