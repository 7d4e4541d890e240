import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Member } from '../../../../src/shared/api/organization.ts';
import { FakeDaemon, KEY, type Ran, run, type RunOptions } from '../../harness.ts';

const ANNA: Member = {
  id: 'a1a1a1a1-0000-4000-8000-000000000001',
  name: 'anna',
  role: 'admin',
  keys: 1,
  created_at: '2026-02-27T00:00:00+00:00',
};
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

  test('create --member takes a name or the beginning of an id, and tells the members of one that is not there', async () => {
    daemon.on('GET /admin/members', 200, { data: [ANNA] });
    expect(await hydrant('key create laptop --member anna')).toMatchObject({ code: 0 });
    expect(daemon.sent('POST /admin/keys').map(({ body }) => body)).toEqual([{ name: 'laptop', member: ANNA.id }]);
    const { code, stderr } = await hydrant('key create laptop --member bob');
    expect([code, daemon.sent('POST /admin/keys').length]).toEqual([5, 1]);
    expect(stderr).toBe('error: there is no member `bob`\n  known: anna (a1a1a1a1)\n');
  });

  test('revoke needs a yes', async () => {
    daemon.on('DELETE /admin/keys/k-1', 204);
    expect(await hydrant('key revoke laptop')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(daemon.sent('DELETE /admin/keys/k-1')).toHaveLength(0);
    expect(await hydrant('key revoke laptop -y')).toMatchObject({ code: 0, stderr: 'key laptop revoked\n' });
    expect(daemon.sent('DELETE /admin/keys/k-1')).toHaveLength(1);
  });
});
