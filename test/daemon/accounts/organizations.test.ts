import { beforeEach, describe, expect, test } from 'vitest';
import { ensureDefaultOrganization } from '../../../src/daemon/accounts/accounts.ts';
import { Keys } from '../../../src/daemon/accounts/keys.ts';
import { Members, Organizations } from '../../../src/daemon/accounts/organizations.ts';
import { outside } from '../../../src/daemon/outside.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import type { Catalog } from '../../../src/daemon/storage/catalog.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { MEMBERS_PER_ORGANIZATION } from '../../../src/shared/limits.ts';
import { openIn, temporaryDir } from '../storage/data-dirs.ts';

let catalog: Catalog;
let organizations: Organizations;
let members: Members;
let keys: Keys;
let home: string;

beforeEach(async () => {
  ({ catalog } = openMemory());
  home = (await ensureDefaultOrganization(catalog, outside)).organization.id;
  organizations = new Organizations({ catalog, outside });
  members = new Members({ catalog, outside });
  keys = new Keys({ catalog, outside });
});

/** What a refusal says. */
async function refusal(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
  } catch (error) {
    return answerTo(error as Problem).body.message;
  }
  return 'it was not refused';
}

describe('organizations', () => {
  test('are made with an admin, and found by id, name or a beginning of the id', async () => {
    const made = await organizations.create('press', 'Free', 'anna');
    expect(made).toMatchObject({ name: 'press', plan: 'Free' });
    expect(members.list(made.id)).toMatchObject([{ name: 'anna', role: 'admin' }]);
    for (const wanted of [made.id, 'press', made.id.slice(0, 8)]) expect(organizations.find(wanted)).toEqual(made);
    expect(organizations.list().map(({ name }) => name)).toEqual(['home', 'press']);
    expect(organizations.operator('press')).toEqual({
      kind: 'manager',
      organizationId: made.id,
      memberId: members.list(made.id)[0]?.id,
    });
  });

  test('the only one needs no name; of several one must be named', async () => {
    expect(organizations.find(undefined).id).toBe(home);
    await organizations.create('press', 'Free', 'anna');
    expect(await refusal(() => organizations.find(undefined))).toBe(
      'There are 2 organizations; say which one with --org: home, press.',
    );
    expect(await refusal(() => organizations.find('radio'))).toMatch(/^There is no such organization; known: .+\.$/);
  });

  test('get another plan, another name and limits of their own', async () => {
    const limits = { rules: 100, activeTaps: null };
    expect(await organizations.change(home, { plan: 'Free', limits })).toMatchObject({ plan: 'Free', limits });
    expect(organizations.allowance(organizations.find('home'))).toMatchObject({ rules: 100, activeTaps: Infinity });
    expect(await organizations.change(home, { name: 'house', limits: {} })).toEqual({
      ...organizations.find('house'),
      name: 'house',
      plan: 'Free',
    });
    expect(organizations.allowance(organizations.find('house'))).toMatchObject({ rules: 25, activeTaps: 1 });
  });

  test('their limits are still theirs after a restart', async () => {
    const directory = temporaryDir();
    const first = await openIn(directory);
    const { organization } = await ensureDefaultOrganization(first.catalog, outside);
    const limits = { checksAMonth: null, fastestMinutes: 30 };
    await new Organizations({ catalog: first.catalog, outside }).change(organization.id, { limits });
    await first.close();
    const { catalog: read } = await openIn(directory);
    expect(read.data.organizations).toMatchObject([{ limits }]);
  });

  test('a plan, a name or a limit that cannot be is refused, and nothing has changed', async () => {
    await organizations.create('press', 'Free', 'anna');
    const before = catalog.data;
    expect(await refusal(() => organizations.create('radio', 'Gold', 'a'))).toContain('There is no plan "Gold"; plans');
    expect(await refusal(() => organizations.create('press', 'Free', 'a'))).toContain('"press" already');
    expect(await refusal(() => organizations.change(home, { name: 'press' }))).toContain('"press" already');
    expect(await refusal(() => organizations.change(home, { plan: 'Gold' }))).toContain('no plan "Gold"');
    expect(await refusal(() => organizations.change('x', { plan: 'Free' }))).toContain('no such organization');
    expect(await refusal(() => organizations.change(home, { limits: { rules: -1 } }))).toContain('rules: -1 is not');
    expect(catalog.data).toBe(before);
  });
});

describe('members', () => {
  test('are admins or members; only admins have keys', async () => {
    const anna = await members.add(home, 'anna', 'member');
    expect(await refusal(() => keys.create('ci', anna.id))).toBe(
      'Only an admin can have management keys, and anna is a member.',
    );
    expect(await members.setRole(home, 'anna', 'admin')).toMatchObject({ id: anna.id, role: 'admin' });
    const { key } = await keys.create('ci', anna.id);
    expect(keys.authenticate(key)).toMatchObject({ memberId: anna.id, organizationId: home });
  });

  test('who is removed, or no admin any more, has no key from that moment on', async () => {
    const [anna, ben] = [await members.add(home, 'anna', 'admin'), await members.add(home, 'ben', 'admin')];
    const [first, second] = [await keys.create('a', anna.id), await keys.create('b', ben.id)];
    await members.setRole(home, 'anna', 'member');
    expect(keys.authenticate(first.key)).toBeUndefined();
    expect(keys.authenticate(second.key)).toBeDefined();
    await members.remove(home, 'ben');
    expect(keys.authenticate(second.key)).toBeUndefined();
    expect(members.list(home).map(({ name }) => name)).toEqual(['admin', 'anna']);
    expect(keys.list(home).map(({ name }) => name)).toEqual(['first key']);
  });

  test('the last admin stays, and is one', async () => {
    await members.add(home, 'anna', 'member');
    const message = 'admin is the only admin. An organization needs one.';
    expect(await refusal(() => members.remove(home, 'admin'))).toBe(message);
    expect(await refusal(() => members.setRole(home, 'admin', 'member'))).toBe(message);
    await members.setRole(home, 'anna', 'admin');
    await members.remove(home, 'admin');
    expect(organizations.operator(undefined).memberId).toBe(members.find(home, 'anna').id);
  });

  test('belong to one organization: no other finds them', async () => {
    const press = await organizations.create('press', 'Free', 'anna');
    expect(await refusal(() => members.remove(press.id, 'admin'))).toBe('There is no such member; known: anna.');
    expect(await refusal(() => members.find(home, 'anna'))).toBe('There is no such member; known: admin.');
  });

  test('have names of their own, and are so many and no more', async () => {
    expect(await refusal(() => members.add(home, 'admin', 'member'))).toContain('"admin" already');
    for (let made = 1; made < MEMBERS_PER_ORGANIZATION; made += 1) await members.add(home, `m${made}`, 'member');
    expect(await refusal(() => members.add(home, 'x', 'member'))).toBe(
      'Member limit reached. An organization may have up to 100 members. Remove one who has left: hydrant member remove <name>',
    );
  });
});
