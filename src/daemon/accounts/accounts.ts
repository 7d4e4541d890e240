import { Credit, priceOf } from './credit.ts';
import { LedgerMetering } from './metering.ts';
import { Members, Organizations } from './organizations.ts';
import { FIRST_PLAN, Plans, type PlanTable } from './plans.ts';
import type { Outside } from '../outside.ts';
import type { Catalog, CatalogData, MemberRecord, OrganizationRecord } from '../storage/catalog.ts';
import { type Ledger, monthOf } from '../storage/ledger.ts';
import { mintKey } from './keys.ts';
import { StartFailure } from '../start-failure.ts';

/** The services of this module, as the composition root passes them on. */
export interface Accounts {
  readonly plans: Plans;
  readonly organizations: Organizations;
  readonly members: Members;
  readonly credit: Credit;
  readonly metering: LedgerMetering;
  /** Of a match, in thousandths of a credit. */
  readonly matchPrice: number;
  /** Watch crawls of an organization in this month. */
  readonly checks: (organizationId: string) => Promise<number>;
}

interface AccountsDeps {
  readonly storage: { readonly catalog: Catalog; readonly ledger: Ledger };
  readonly settings: {
    readonly plans: PlanTable;
    /** Credits. */
    readonly matchPrice: number;
  };
  readonly outside: Outside;
  readonly onError: (what: string, error: unknown) => void;
}

/** @throws {StartFailure} for a price that cannot be. */
export async function openAccounts({ storage, settings, outside, onError }: AccountsDeps): Promise<Accounts> {
  const { catalog, ledger } = storage;
  const plans = new Plans(settings.plans);
  const matchPrice = priceOf(settings.matchPrice);
  const credit = await Credit.open({ ledger, catalog, outside });
  return {
    plans,
    organizations: new Organizations({ catalog, outside, plans }),
    members: new Members({ catalog, outside }),
    credit,
    metering: new LedgerMetering({ ledger, catalog, balances: credit, price: matchPrice, outside, onError }),
    matchPrice,
    checks: (organizationId) => ledger.checks(organizationId, monthOf(outside.now())),
  };
}

interface DefaultOrganization {
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
  const isFirst = await catalog.update((draft) => {
    // Another node of the same database may have been quicker.
    if (draft.organizations.length > 0) return false;
    draft.organizations.push(organization);
    draft.members.push(admin);
    draft.keys.push(record);
    return true;
  });
  return isFirst ? { organization, admin, firstKey: key } : existing(catalog.data, plans);
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
