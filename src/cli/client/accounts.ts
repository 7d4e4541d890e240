import type {
  Allowance,
  Credit,
  CreditEntry,
  Member,
  Organization,
  OrganizationChange,
  OrganizationCreation,
  Usage,
} from '../../shared/api/organization.ts';
import { type Asking, flag, listOf, number, oneOf, orNull, shaped, text } from './shape.ts';

/** The endpoints of organizations, members and credit, one method each. @throws as `Client` */
export class AccountEndpoints {
  readonly #asking: (noun: string) => Asking;

  /** @param asking in the name of a command, which a refusal tells of */
  constructor(asking: (noun: string) => Asking) {
    this.#asking = asking;
  }

  async organizations(): Promise<Organization[]> {
    return this.#asking('org').ask(listOf(isOrganization), 'GET', '/admin/organizations');
  }

  async addOrganization(creation: OrganizationCreation): Promise<Organization> {
    return this.#asking('org').ask(isOrganization, 'POST', '/admin/organizations', creation);
  }

  async changeOrganization(id: string, change: OrganizationChange): Promise<Organization> {
    return this.#asking('org').ask(isOrganization, 'PATCH', `/admin/organizations/${encodeURIComponent(id)}`, change);
  }

  async members(): Promise<Member[]> {
    return this.#asking('member').ask(listOf(isMember), 'GET', '/admin/members');
  }

  async addMember(name: string, role: Member['role']): Promise<Member> {
    return this.#asking('member').ask(isMember, 'POST', '/admin/members', { name, role });
  }

  async changeMember(id: string, role: Member['role']): Promise<Member> {
    return this.#asking('member').ask(isMember, 'PATCH', `/admin/members/${encodeURIComponent(id)}`, { role });
  }

  async removeMember(id: string): Promise<void> {
    await this.#asking('member').tell('DELETE', `/admin/members/${encodeURIComponent(id)}`);
  }

  async credit(): Promise<Credit> {
    return this.#asking('credit').ask(isCredit, 'GET', '/admin/credit');
  }

  /** `seconds`: until it expires; absent: never. */
  async grant(amount: number, seconds?: number): Promise<Credit> {
    return this.#asking('credit').ask(isCredit, 'POST', '/admin/credit/grants', { amount, ...expiring(seconds) });
  }

  /** null: unlimited. */
  async setBalance(balance: number | null, seconds?: number): Promise<Credit> {
    return this.#asking('credit').ask(isCredit, 'PUT', '/admin/credit', { balance, ...expiring(seconds) });
  }

  async creditHistory(): Promise<CreditEntry[]> {
    return this.#asking('credit').ask(listOf(isCreditEntry), 'GET', '/admin/credit/history');
  }

  async usage(by: 'tap' | 'day' | 'rule', seconds: number): Promise<Usage[]> {
    return this.#asking('usage').ask(listOf(isUsage), 'GET', `/admin/usage?by=${by}&since_seconds=${seconds}`);
  }
}

function expiring(seconds: number | undefined): { readonly expires_in_seconds?: number } {
  return seconds === undefined ? {} : { expires_in_seconds: seconds };
}

/** Guards of the answers about organizations and credit; see `shape.ts`. */
const limit = orNull(number);
const isText = (value: unknown): value is string => text(value);

const isOrganization = shaped<Organization>({
  id: text,
  name: text,
  plan: text,
  allowed: shaped<Allowance>({
    active_taps: limit,
    watched_urls: limit,
    checks_a_month: limit,
    fastest_minutes: limit,
    rules: limit,
  }),
  own: listOf(isText),
  members: number,
  taps: number,
  active_taps: number,
  rules: number,
  checks: number,
  created_at: text,
});

const isMember = shaped<Member>({
  id: text,
  name: text,
  role: oneOf('admin', 'member'),
  keys: number,
  created_at: text,
});

const isCredit = shaped<Credit>({
  unlimited: flag,
  balance: number,
  grants: number,
  expires_next: orNull(text),
  match_price: number,
  matches_left: orNull(number),
});

const isCreditEntry = shaped<CreditEntry>({
  at: text,
  kind: oneOf('grant', 'set', 'unlimited'),
  amount: number,
  left: number,
  withdrawn: number,
  expires_at: orNull(text),
  expired: flag,
});

const isUsage = shaped<Usage>({
  id: text,
  tap: orNull(text),
  name: orNull(text),
  matches: number,
  spent: number,
});
