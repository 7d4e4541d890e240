import type { DatabaseSync } from 'node:sqlite';
import { CREDIT_ENTRIES, CREDIT_GRANTS } from '../../../../shared/limits.ts';
import type { Account, CreditEntry, Grant } from '../../ledger.ts';

/** Grants and what is left of them, in SQL. */
export class CreditStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: DatabaseSync) {
    this.#sql = prepare(database);
  }

  prepaid(): string[] {
    return (this.#sql.prepaid.all() as unknown as { organization: string }[]).map(({ organization }) => organization);
  }

  isPrepaid(organizationId: string): boolean {
    return this.#sql.isPrepaid.get(organizationId) !== undefined;
  }

  balance(organizationId: string, at: number): number {
    return (this.#sql.totals.get(organizationId, at) as unknown as Totals).balance;
  }

  account(organizationId: string, at: number): Account {
    const { balance, grants, expiresNext } = this.#sql.totals.get(organizationId, at) as unknown as Totals;
    return {
      organizationId,
      unlimited: !this.isPrepaid(organizationId),
      balance,
      grants,
      ...(expiresNext !== null && { expiresNext }),
    };
  }

  grant(grant: Grant): Account | undefined {
    if (this.account(grant.organizationId, grant.at).grants >= CREDIT_GRANTS) return undefined;
    return this.#add('grant', grant);
  }

  set(grant: Grant): Account {
    this.#sql.withdraw.run(grant.organizationId, grant.at);
    return this.#add('set', grant);
  }

  unlimit(organizationId: string, at: number): Account {
    return this.#add('unlimited', { organizationId, amount: 0, at });
  }

  history(organizationId: string, atMost: number): CreditEntry[] {
    const rows = this.#sql.history.all(organizationId, atMost) as unknown as EntryRow[];
    return rows.map(entryOf);
  }

  /** Takes `amount`, which the balance covers, from the grants in the order in which they expire. */
  spend(organizationId: string, amount: number, at: number): void {
    let due = amount;
    while (due > 0) {
      const grant = this.#sql.first.get(organizationId, at) as { seq: number; left: number } | undefined;
      if (grant === undefined) throw new Error('more was charged than there is credit for');
      const part = Math.min(due, grant.left);
      this.#sql.take.run(part, grant.seq);
      due -= part;
    }
  }

  #add(kind: CreditEntry['kind'], { organizationId, amount, expiresAt, at }: Grant): Account {
    this.#sql.add.run(organizationId, at, kind, amount, amount, expiresAt ?? null);
    this.#sql.setMode.run(organizationId, kind === 'unlimited' ? 0 : 1);
    this.#sql.forget.run(organizationId, at, organizationId, CREDIT_ENTRIES);
    return this.account(organizationId, at);
  }
}

interface Totals {
  readonly balance: number;
  readonly grants: number;
  readonly expiresNext: number | null;
}

type EntryRow = Omit<CreditEntry, 'expiresAt'> & { readonly expiresAt: number | null };

function entryOf({ expiresAt, ...row }: EntryRow): CreditEntry {
  return { ...row, ...(expiresAt !== null && { expiresAt }) };
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const live = 'organization = ? AND left > 0 AND (expires_at IS NULL OR expires_at > ?)';
  return {
    prepaid: sql('SELECT organization FROM credit_accounts WHERE prepaid ORDER BY organization'),
    isPrepaid: sql('SELECT 1 FROM credit_accounts WHERE organization = ? AND prepaid'),
    totals: sql(`SELECT coalesce(sum(left), 0) AS balance, count(*) AS grants, min(expires_at) AS expiresNext
      FROM credit_entries WHERE ${live}`),
    setMode: sql(`INSERT INTO credit_accounts (organization, prepaid) VALUES (?, ?)
      ON CONFLICT (organization) DO UPDATE SET prepaid = excluded.prepaid`),
    add: sql(`INSERT INTO credit_entries (organization, at, kind, amount, left, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)`),
    withdraw: sql(`UPDATE credit_entries SET withdrawn = left, left = 0 WHERE ${live}`),
    first: sql(`SELECT seq, left FROM credit_entries WHERE ${live}
      ORDER BY expires_at IS NULL, expires_at, seq LIMIT 1`),
    take: sql('UPDATE credit_entries SET left = left - ? WHERE seq = ?'),
    history: sql(`SELECT at, kind, amount, left, withdrawn, expires_at AS expiresAt FROM credit_entries
      WHERE organization = ? ORDER BY seq DESC LIMIT ?`),
    forget: sql(`DELETE FROM credit_entries WHERE organization = ? AND (left = 0 OR expires_at <= ?)
      AND seq <= (SELECT seq FROM credit_entries WHERE organization = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`),
  };
}
