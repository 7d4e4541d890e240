import { beforeEach, describe, expect, test } from 'vitest';
import { ensureDefaultOrganization } from '../../../src/daemon/accounts/accounts.ts';
import { Keys } from '../../../src/daemon/accounts/keys.ts';
import { outside } from '../../../src/daemon/outside.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import type { Catalog } from '../../../src/daemon/storage/catalog.ts';
import { openMemory } from '../../reference/storage/memory.ts';

let catalog: Catalog;
let keys: Keys;
let memberId: string;
let organizationId: string;

beforeEach(async () => {
  catalog = openMemory().catalog;
  const defaults = await ensureDefaultOrganization(catalog, outside);
  keys = new Keys({ catalog, outside });
  memberId = defaults.admin.id;
  organizationId = defaults.organization.id;
});

const refusal = (attempt: Promise<unknown>): Promise<Problem> =>
  attempt.then(
    () => expect.unreachable('it was not refused'),
    (error: Problem) => error,
  );

describe('management keys', () => {
  test('act as the member who made them, and are kept as a hash only', async () => {
    const { record, key } = await keys.create('ci', memberId);
    expect(keys.authenticate(key)).toEqual({ kind: 'manager', organizationId, memberId });
    expect(record.prefix).toBe(key.slice(0, 9));
    expect(JSON.stringify(catalog.data)).not.toContain(key.slice(9));
  });

  test('are unknown when altered, empty or revoked', async () => {
    const { record, key } = await keys.create('ci', memberId);
    expect(keys.authenticate(`${key}x`)).toBeUndefined();
    expect(keys.authenticate('')).toBeUndefined();
    expect(keys.authenticate(record.hash)).toBeUndefined();
    await keys.revoke(organizationId, record.id);
    expect(keys.authenticate(key)).toBeUndefined();
  });

  test.each(['id', 'name', 'prefix', 'beginning of the id'])('are revoked by their %s', async (way) => {
    const { record } = await keys.create('ci', memberId);
    const wanted = { id: record.id, name: 'ci', prefix: record.prefix }[way] ?? record.id.slice(0, 8);
    await keys.revoke(organizationId, wanted);
    expect(keys.list(organizationId).map((key) => key.name)).toEqual(['first key']);
  });

  test('are not revoked by a name that two have, and the refusal names both', async () => {
    const one = await keys.create('ci', memberId);
    const other = await keys.create('ci', memberId);
    const problem = await refusal(keys.revoke(organizationId, 'ci'));
    expect(problem.code).toBe('invalid_field');
    expect(JSON.stringify(problem.facts)).toContain(one.record.id);
    expect(JSON.stringify(problem.facts)).toContain(other.record.id);
    expect(keys.list(organizationId)).toHaveLength(3);
  });

  test('are not revoked by nothing, by a scrap of an id, or by another organization', async () => {
    const { record } = await keys.create('ci', memberId);
    for (const wanted of ['', record.id.slice(0, 3), 'nobody']) {
      expect((await refusal(keys.revoke(organizationId, wanted))).code).toBe('not_found');
    }
    expect((await refusal(keys.revoke(outside.uuid(), record.id))).code).toBe('not_found');
  });

  test('are at most 100 in an organization, and revoking one makes room', async () => {
    for (let made = 1; made < 100; made += 1) await keys.create(`key ${made}`, memberId);
    const problem = await refusal(keys.create('one too many', memberId));
    expect(problem.code).toBe('key_limit_reached');
    await keys.revoke(organizationId, 'key 1');
    await keys.create('fits', memberId);
    expect(keys.list(organizationId)).toHaveLength(100);
  });

  test('are not made for a member there is not', async () => {
    expect((await refusal(keys.create('ci', outside.uuid()))).code).toBe('not_found');
  });
});
