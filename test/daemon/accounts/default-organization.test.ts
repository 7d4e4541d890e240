import { describe, expect, test, vi } from 'vitest';
import { ensureDefaultOrganization } from '../../../src/daemon/accounts/accounts.ts';
import { Keys } from '../../../src/daemon/accounts/keys.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { openMemory } from '../../reference/storage/memory.ts';

describe('the first start', () => {
  test('makes one organization, one admin and one key that works, in one update', async () => {
    const { catalog } = openMemory();
    const update = vi.spyOn(catalog, 'update');
    const defaults = await ensureDefaultOrganization(catalog, outside);
    expect(update).toHaveBeenCalledTimes(1);
    expect(defaults.organization).toMatchObject({ name: 'home', plan: 'Business' });
    expect(defaults.admin).toMatchObject({ role: 'admin', organizationId: defaults.organization.id });
    const principal = new Keys({ catalog, outside }).authenticate(defaults.firstKey ?? '');
    const { organization, admin } = defaults;
    expect(principal).toEqual({ kind: 'manager', organizationId: organization.id, memberId: admin.id });
    expect(JSON.stringify(catalog.data)).not.toContain(defaults.firstKey?.slice(9));
  });

  test('is followed by starts that find the same organization and show no key', async () => {
    const { catalog } = openMemory();
    const { firstKey: _, ...defaults } = await ensureDefaultOrganization(catalog, outside);
    const before = catalog.data;
    expect(await ensureDefaultOrganization(catalog, outside)).toEqual(defaults);
    expect(catalog.data).toBe(before);
  });

  test('refuses a catalog that nobody can manage, or whose plan is unknown', async () => {
    const { catalog } = openMemory();
    await ensureDefaultOrganization(catalog, outside);
    await catalog.update((draft) => {
      draft.members = [];
    });
    await expect(ensureDefaultOrganization(catalog, outside)).rejects.toThrow('has an admin member');
    await catalog.update((draft) => {
      draft.organizations[0]!.plan = 'Gold';
    });
    await expect(ensureDefaultOrganization(catalog, outside)).rejects.toThrow('plan "Gold"; plans are Free, Starter');
  });
});
