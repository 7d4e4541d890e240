import { mintKey } from './keys.ts';
import { FIRST_PLAN, Plans } from './plans.ts';
import type { Outside } from '../outside.ts';
import { StartFailure } from '../start-failure.ts';
import type { Catalog, CatalogData, MemberRecord, OrganizationRecord } from '../storage/catalog.ts';

export interface DefaultOrganization {
  readonly organization: OrganizationRecord;
  /** Its first admin, as whom the operator acts. */
  readonly admin: MemberRecord;
  /** Only at the first start: shown once, stored nowhere. */
  readonly firstKey?: string;
}

/**
 * The first start creates one organization, its admin and one management key, in one update: after a crash there is all of it
 * or nothing, and never an organization without an admin. Later starts find it in the catalog.
 * @throws {StartFailure} if the catalog has an organization without an admin, or with an unknown plan.
 */
export async function ensureDefaultOrganization(
  catalog: Catalog,
  outside: Outside,
  plans = new Plans(),
): Promise<DefaultOrganization> {
  if (catalog.data.organizations.length > 0) return existing(catalog.data, plans);
  const createdAt = new Date(outside.now()).toISOString();
  const organization: OrganizationRecord = { id: outside.uuid(), name: 'home', plan: FIRST_PLAN, createdAt };
  const admin: MemberRecord = {
    id: outside.uuid(),
    organizationId: organization.id,
    name: 'admin',
    role: 'admin',
    createdAt,
  };
  const { record, key } = mintKey(admin, 'first key', outside);
  await catalog.update((draft) => {
    draft.organizations.push(organization);
    draft.members.push(admin);
    draft.keys.push(record);
  });
  return { organization, admin, firstKey: key };
}

function existing(data: CatalogData, plans: Plans): DefaultOrganization {
  const stranger = data.organizations.find((found) => !plans.has(found.plan));
  if (stranger) {
    throw new StartFailure(
      'configuration',
      `the catalog gives organization "${stranger.name}" the plan "${stranger.plan}"; plans are ${plans.names.join(', ')}`,
    );
  }
  for (const organization of data.organizations) {
    const admin = data.members.find((member) => member.organizationId === organization.id && member.role === 'admin');
    if (admin) return { organization, admin };
  }
  throw new StartFailure(
    'configuration',
    'no organization in the catalog has an admin member; restore the catalog from its backup',
  );
}
