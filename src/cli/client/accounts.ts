import type { Credit, CreditEntry, Usage } from '../../shared/api/credit.ts';
import type { Member, Organization, OrganizationChange, OrganizationCreation } from '../../shared/api/organization.ts';
import { isCredit, isCreditEntry, isMember, isOrganization, isUsage } from './accounts-shape.ts';
import type { Asking } from './ratings.ts';
import { listOf } from './shape.ts';

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
