import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import { StartFailure } from '../start-failure.ts';
import type { Catalog, CatalogData, RecordChange } from '../storage/catalog.ts';
import type { Account, CreditEntry, Grant, Ledger, UsageQuestion, UsageRow } from '../storage/ledger.ts';
import { CREDIT_GRANTS, REPORT_LINES } from '../../shared/limits.ts';

/** Thousandths, in which the ledger counts. */
const A_CREDIT = 1_000;

/** Credits as the ledger's whole thousandths; what is finer is rounded. */
export function toThousandths(credits: number): number {
  return Math.round(credits * A_CREDIT);
}

/** @throws {StartFailure} for a price finer than a thousandth, which would have to be rounded. */
export function priceOf(credits: number): number {
  const price = toThousandths(credits);
  if (toCredits(price) === credits) return price;
  throw new StartFailure(
    'configuration',
    `match-price: ${credits} has more than three decimal places; use a value such as 0.005`,
  );
}

export function toCredits(thousandths: number): number {
  return thousandths / A_CREDIT;
}

/** Usage with the name of its tap or rule; null for a day, and for what was deleted. */
export interface NamedUsage extends UsageRow {
  readonly name: string | null;
}

interface CreditDeps {
  readonly ledger: Ledger;
  readonly catalog: Pick<Catalog, 'data' | 'update'>;
  readonly outside: Outside;
}

/**
 * What the operator does with an organization's credit. Amounts come and go in thousandths. Keeps
 * in memory which organizations have a balance at all, since that is asked at each delivery: those of its own grants, and those
 * that another process has noted in the catalog.
 *
 * That an organization has a balance stands in the catalog as well, written after the ledger and taken back before it. Where
 * only the catalog knows of it, the ledger was lost, and the balance is 0 until the operator sets another.
 */
export class Credit {
  readonly #deps: CreditDeps;
  readonly #prepaid: Set<string>;
  /** Organizations whose balance was lost, by name. */
  readonly lost: readonly string[];

  static async open(deps: CreditDeps): Promise<Credit> {
    const { ledger, catalog, outside } = deps;
    const prepaid = new Set(await ledger.prepaid());
    const lost = catalog.data.organizations.filter((found) => found.prepaid === true && !prepaid.has(found.id));
    for (const { id } of lost) {
      await ledger.setCredit({ organizationId: id, amount: 0, at: outside.now() });
      prepaid.add(id);
    }
    await noteAll(catalog, prepaid);
    return new Credit(
      deps,
      prepaid,
      lost.map(({ name }) => name),
    );
  }

  private constructor(deps: CreditDeps, prepaid: Set<string>, lost: readonly string[]) {
    this.#deps = deps;
    this.#prepaid = prepaid;
    this.lost = lost;
  }

  isUnlimited(organizationId: string): boolean {
    return !this.#prepaid.has(organizationId);
  }

  /** After changes by another process. One that leaves the note as it is says nothing: a grant under way here has not made its own yet. */
  follow(changes: readonly RecordChange[]): void {
    for (const { id, before, after } of changes.filter((change) => change.kind === 'organizations')) {
      if (before?.prepaid === after?.prepaid) continue;
      if (after?.prepaid === true) this.#prepaid.add(id);
      else this.#prepaid.delete(id);
    }
  }

  async show(organizationId: string): Promise<Account> {
    return this.#deps.ledger.account(organizationId, this.#deps.outside.now());
  }

  /** `seconds`: until it expires; absent: never. @throws {Problem} when there are too many grants. */
  async grant(organizationId: string, amount: number, seconds?: number): Promise<Account> {
    const account = await this.#deps.ledger.grantCredit(this.#grantOf(organizationId, amount, seconds));
    if (account === undefined) throw new Problem('grant_limit_reached', { limit: CREDIT_GRANTS });
    return this.#prepay(account);
  }

  async set(organizationId: string, amount: number, seconds?: number): Promise<Account> {
    return this.#prepay(await this.#deps.ledger.setCredit(this.#grantOf(organizationId, amount, seconds)));
  }

  async unlimit(organizationId: string): Promise<Account> {
    const { catalog, ledger, outside } = this.#deps;
    await notePrepaid(catalog, organizationId, false);
    const account = await ledger.unlimitCredit(organizationId, outside.now());
    this.#prepaid.delete(organizationId);
    return account;
  }

  async history(organizationId: string): Promise<CreditEntry[]> {
    return this.#deps.ledger.creditHistory(organizationId, REPORT_LINES);
  }

  /** Of the last `seconds`, from the beginning of their first day. */
  async usage(organizationId: string, by: UsageQuestion['by'], seconds: number): Promise<NamedUsage[]> {
    const { ledger, catalog, outside } = this.#deps;
    const since = outside.now() - seconds * 1_000;
    const rows = await ledger.usage({ organizationId, by, since, atMost: REPORT_LINES });
    const names = namesOf(catalog.data, by);
    return rows.map((row) => Object.assign(row, { name: names.get(row.key) ?? null }));
  }

  #grantOf(organizationId: string, amount: number, seconds: number | undefined): Grant {
    const at = this.#deps.outside.now();
    return { organizationId, amount, at, ...(seconds !== undefined && { expiresAt: at + seconds * 1_000 }) };
  }

  async #prepay(account: Account): Promise<Account> {
    this.#prepaid.add(account.organizationId);
    await notePrepaid(this.#deps.catalog, account.organizationId, true);
    return account;
  }
}

/** Writes nothing where the catalog says so already. */
async function notePrepaid(catalog: CreditDeps['catalog'], organizationId: string, isPrepaid: boolean): Promise<void> {
  const known = catalog.data.organizations.find(({ id }) => id === organizationId);
  if (known === undefined || (known.prepaid === true) === isPrepaid) return;
  await catalog.update((draft) => {
    const found = draft.organizations.find(({ id }) => id === organizationId);
    if (found === undefined) return;
    if (isPrepaid) found.prepaid = true;
    else delete found.prepaid;
  });
}

/** What an older version gave, or a crash between the two writes has left to one of them. */
async function noteAll(catalog: CreditDeps['catalog'], prepaid: ReadonlySet<string>): Promise<void> {
  for (const id of prepaid) await notePrepaid(catalog, id, true);
}

function namesOf({ rules, taps }: CatalogData, by: UsageQuestion['by']): ReadonlyMap<string, string> {
  if (by === 'rule') return new Map(rules.map(({ id, value }) => [id, value]));
  return new Map(by === 'tap' ? taps.map(({ id, name }) => [id, name]) : []);
}
