import { CREDIT_ENTRIES, CREDIT_GRANTS } from '../../../../shared/limits.ts';
import type { Account, CreditEntry, Grant } from '../../ledger.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';

/** Grants and what is left of them, on PostgreSQL. Whoever changes what an organization has holds the row of its account. */
export class CreditStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async prepaid(): Promise<string[]> {
    const rows = await this.#database.query<{ organization: string }>(PREPAID);
    return rows.map(({ organization }) => organization);
  }

  async account(organizationId: string, at: number, from: Queryable = this.#database): Promise<Account> {
    const [row] = await from.query<AccountRow>(ACCOUNT, [organizationId, at]);
    const { expiresNext = null, unlimited = true, balance = 0, grants = 0 } = row ?? {};
    return { organizationId, unlimited, balance, grants, ...(expiresNext !== null && { expiresNext }) };
  }

  grant(grant: Grant): Promise<Account | undefined> {
    return this.#changing(grant.organizationId, async (transaction) => {
      const { grants } = await this.account(grant.organizationId, grant.at, transaction);
      return grants >= CREDIT_GRANTS ? undefined : this.#add(transaction, 'grant', grant);
    });
  }

  set(grant: Grant): Promise<Account> {
    return this.#changing(grant.organizationId, async (transaction) => {
      await transaction.query(WITHDRAW, [grant.organizationId, grant.at]);
      return this.#add(transaction, 'set', grant);
    });
  }

  unlimit(organizationId: string, at: number): Promise<Account> {
    return this.#changing(organizationId, (transaction) =>
      this.#add(transaction, 'unlimited', { organizationId, amount: 0, at }),
    );
  }

  async history(organizationId: string, atMost: number): Promise<CreditEntry[]> {
    const rows = await this.#database.query<EntryRow>(HISTORY, [organizationId, atMost]);
    return rows.map(entryOf);
  }

  /** What may be spent, which nobody else changes before the end of the transaction; undefined where it is not a balance. */
  async lockedBalance(transaction: Transaction, organizationId: string, at: number): Promise<number | undefined> {
    const [prepaid] = await transaction.query(LOCK_PREPAID, [organizationId]);
    if (!prepaid) return undefined;
    return (await this.account(organizationId, at, transaction)).balance;
  }

  /** Takes `amount`, which the locked balance covers, from the grants in the order in which they expire. */
  async spend(transaction: Transaction, organizationId: string, amount: number, at: number): Promise<void> {
    const taken = await transaction.query<{ taken: number }>(SPEND, [organizationId, at, amount]);
    if (taken.reduce((sum, row) => sum + row.taken, 0) !== amount) {
      throw new Error('more was charged than there is credit for');
    }
  }

  #changing<T>(organizationId: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query(LOCK_ACCOUNT, [organizationId]);
      return work(transaction);
    });
  }

  async #add(transaction: Transaction, kind: CreditEntry['kind'], grant: Grant): Promise<Account> {
    const { organizationId, amount, expiresAt, at } = grant;
    await transaction.query(ADD, [organizationId, at, kind, amount, expiresAt ?? null]);
    await transaction.query('UPDATE credit_accounts SET prepaid = $1 WHERE organization = $2', [
      kind !== 'unlimited',
      organizationId,
    ]);
    await transaction.query(FORGET, [organizationId, at, CREDIT_ENTRIES]);
    return this.account(organizationId, at, transaction);
  }
}

interface AccountRow extends Pick<Account, 'unlimited' | 'balance' | 'grants'> {
  readonly expiresNext: number | null;
}

type EntryRow = Omit<CreditEntry, 'expiresAt'> & { readonly expiresAt: number | null };

function entryOf({ expiresAt, ...row }: EntryRow): CreditEntry {
  return { ...row, ...(expiresAt !== null && { expiresAt }) };
}

/** Of the organization $1 at the time $2. */
const LIVE = 'organization = $1 AND remaining > 0 AND (expires_at IS NULL OR expires_at > $2)';

const PREPAID = 'SELECT organization FROM credit_accounts WHERE prepaid ORDER BY organization';

const ACCOUNT = `SELECT NOT EXISTS (SELECT FROM credit_accounts WHERE organization = $1 AND prepaid) AS unlimited,
  coalesce(sum(remaining), 0) AS balance, count(*) AS grants, min(expires_at) AS "expiresNext"
  FROM credit_entries WHERE ${LIVE}`;

/** It has a row from then on. */
const LOCK_ACCOUNT = `INSERT INTO credit_accounts (organization, prepaid) VALUES ($1, false)
  ON CONFLICT (organization) DO UPDATE SET prepaid = credit_accounts.prepaid`;

const LOCK_PREPAID = 'SELECT FROM credit_accounts WHERE organization = $1 AND prepaid FOR NO KEY UPDATE';

const WITHDRAW = `UPDATE credit_entries SET withdrawn = remaining, remaining = 0 WHERE ${LIVE}`;

const ADD = `INSERT INTO credit_entries (organization, at, kind, amount, remaining, expires_at)
  VALUES ($1, $2, $3, $4, $4, $5)`;

const HISTORY = `SELECT at, kind, amount, remaining AS left, withdrawn, expires_at AS "expiresAt" FROM credit_entries
  WHERE organization = $1 ORDER BY seq DESC LIMIT $2`;

const SPEND = `WITH live AS (
    SELECT seq, remaining, sum(remaining) OVER (ORDER BY expires_at NULLS LAST, seq) - remaining AS before
    FROM credit_entries WHERE ${LIVE}
  )
  UPDATE credit_entries SET remaining = credit_entries.remaining - least(live.remaining, $3::bigint - before)
  FROM live WHERE credit_entries.seq = live.seq AND before < $3::bigint
  RETURNING least(live.remaining, $3::bigint - before) AS taken`;

const FORGET = `DELETE FROM credit_entries WHERE organization = $1 AND (remaining = 0 OR expires_at <= $2)
  AND seq <= (SELECT seq FROM credit_entries WHERE organization = $1 ORDER BY seq DESC LIMIT 1 OFFSET $3)`;
