import { Credit, priceOf } from './credit.ts';
import { LedgerMetering } from './metering.ts';
import { Members } from './members.ts';
import { Organizations } from './organizations.ts';
import { Plans, type PlanTable } from './plans.ts';
import type { Outside } from '../outside.ts';
import type { Catalog } from '../storage/catalog.ts';
import { type Ledger, monthOf } from '../storage/ledger.ts';

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

export interface AccountsDeps {
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
