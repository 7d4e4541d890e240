import { type Plan, planLimitNames, type PlanLimits, Plans, wrongLimit } from './plans.ts';
import type { Manager } from './keys.ts';
import { findOne } from './lookup.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, Draft, MemberRecord, OrganizationRecord } from '../storage/catalog.ts';
import { MEMBERS_PER_ORGANIZATION, ORGANIZATIONS } from '../../shared/limits.ts';

type TermsFollower = (before: OrganizationRecord, after: OrganizationRecord) => Promise<void>;

/** What is to change; absent: stays. */
interface OrganizationChange {
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  /** In place of those it has: `{}` gives it its plan's numbers again. */
  readonly limits?: PlanLimits | undefined;
}

/**
 * Organizations: who owns taps and credit, and what each may have. Made and changed by the operator alone. A plan that
 * is lowered takes nothing away: what is there stays, and there is no more until there is room.
 */
export class Organizations {
  readonly #catalog: Catalog;
  readonly #outside: Outside;
  readonly #plans: Plans;
  readonly #followers: TermsFollower[] = [];

  constructor(deps: { catalog: Catalog; outside: Outside; plans?: Plans }) {
    this.#catalog = deps.catalog;
    this.#outside = deps.outside;
    this.#plans = deps.plans ?? new Plans();
  }

  list(): readonly OrganizationRecord[] {
    return this.#catalog.data.organizations;
  }

  /** `wanted`: an id, a name or the beginning of an id. Absent: the only one there is. @throws {Problem} */
  find(wanted: string | undefined): OrganizationRecord {
    const { organizations } = this.#catalog.data;
    if (wanted !== undefined) return findOne('organization', organizations, wanted);
    const [only, another] = organizations;
    if (only && !another) return only;
    const names = organizations.map(({ name }) => name).join(', ');
    const message = `There are ${organizations.length} organizations; say which one with --org: ${names}.`;
    throw new Problem('invalid_field', { field: 'organization', message });
  }

  /** The operator, acting for an organization as its first admin. @throws {Problem} as `find` */
  operator(wanted: string | undefined): Manager {
    const { id } = this.find(wanted);
    const admin = this.#catalog.data.members.find((one) => one.organizationId === id && one.role === 'admin');
    if (!admin) throw new Problem('not_found', { resource: 'admin of this organization' });
    return { kind: 'manager', organizationId: id, memberId: admin.id };
  }

  /** What it may have: its plan's numbers, or its own. */
  allowance(organization: OrganizationRecord): Plan {
    return this.#plans.of(organization);
  }

  /** With a first admin: an organization that nobody can manage is never there. */
  async create(given: string, plan: string, adminName: string): Promise<OrganizationRecord> {
    const name = given.trim();
    this.#checkPlan(plan);
    const createdAt = new Date(this.#outside.now()).toISOString();
    const organization: OrganizationRecord = { id: this.#outside.uuid(), name, plan, createdAt };
    await this.#catalog.update((draft) => {
      checkName(draft, name);
      if (draft.organizations.length >= ORGANIZATIONS) {
        throw new Problem('organization_limit_reached', { limit: ORGANIZATIONS });
      }
      draft.organizations.push(organization);
      const admin = { id: this.#outside.uuid(), organizationId: organization.id, name: adminName.trim(), createdAt };
      draft.members.push({ ...admin, role: 'admin' });
    });
    return organization;
  }

  async change(id: string, change: OrganizationChange): Promise<OrganizationRecord> {
    const { plan, limits } = change;
    const name = change.name?.trim();
    if (plan !== undefined) this.#checkPlan(plan);
    if (limits !== undefined) checkLimits(limits);
    const { before, after } = await this.#catalog.update((draft) => {
      const found = draft.organizations.find((one) => one.id === id);
      if (!found) throw new Problem('not_found', { resource: 'organization' });
      const former = structuredClone(found);
      if (name !== undefined && name !== found.name) checkName(draft, name);
      found.name = name ?? found.name;
      found.plan = plan ?? found.plan;
      if (limits !== undefined) setLimits(found, limits);
      return { before: former, after: structuredClone(found) };
    });
    if (plan !== undefined || limits !== undefined) for (const follow of this.#followers) await follow(before, after);
    return after;
  }

  /** Called after each change of a plan or its numbers, once it is saved; who changes them waits for it. */
  onTerms(follower: TermsFollower): void {
    this.#followers.push(follower);
  }

  #checkPlan(plan: string): void {
    if (this.#plans.has(plan)) return;
    const message = `There is no plan "${plan}"; plans are ${this.#plans.names.join(', ')}.`;
    throw new Problem('invalid_field', { field: 'plan', message });
  }
}

/** Two of one name could not be told apart by it. */
function checkName(data: CatalogData | Draft<CatalogData>, name: string): void {
  if (!data.organizations.some((other) => other.name === name)) return;
  throw new Problem('invalid_field', { field: 'name', message: `There is already an organization "${name}" already.` });
}

function checkLimits(limits: PlanLimits): void {
  for (const name of planLimitNames) {
    const complaint = limits[name] === undefined ? undefined : wrongLimit(name, limits[name]);
    if (complaint === undefined) continue;
    throw new Problem('invalid_field', { field: name, message: `${name}: ${String(limits[name])} ${complaint}.` });
  }
}

function setLimits(organization: Draft<OrganizationRecord>, limits: PlanLimits): void {
  delete organization.limits;
  if (Object.keys(limits).length > 0) organization.limits = { ...limits };
}

/**
 * The members of an organization. An admin may have management keys, which act as that member; other members may not (spec,
 * Authentication 1). Removing a member, or making an admin a plain member, deletes their keys in the same write. Taps belong to
 * the organization, so their tokens and open streams stay; watches belong to the member. The last admin cannot be removed.
 */
export class Members {
  readonly #catalog: Catalog;
  readonly #outside: Outside;
  readonly #followers: ((memberId: string) => Promise<void>)[] = [];

  constructor(deps: { catalog: Catalog; outside: Outside }) {
    this.#catalog = deps.catalog;
    this.#outside = deps.outside;
  }

  list(organizationId: string): readonly MemberRecord[] {
    return ofOrganization(this.#catalog.data, organizationId);
  }

  /** `wanted`: an id, a name or the beginning of an id. @throws {Problem} */
  find(organizationId: string, wanted: string): MemberRecord {
    return findOne('member', this.list(organizationId), wanted);
  }

  async add(organizationId: string, given: string, role: MemberRecord['role']): Promise<MemberRecord> {
    const name = given.trim();
    const createdAt = new Date(this.#outside.now()).toISOString();
    const member: MemberRecord = { id: this.#outside.uuid(), organizationId, name, role, createdAt };
    await this.#catalog.update((draft) => {
      const others = ofOrganization(draft, organizationId);
      if (others.some((other) => other.name === name)) {
        throw new Problem('invalid_field', { field: 'name', message: `There is a member "${name}" already.` });
      }
      if (others.length >= MEMBERS_PER_ORGANIZATION) {
        throw new Problem('member_limit_reached', { limit: MEMBERS_PER_ORGANIZATION });
      }
      draft.members.push(member);
    });
    return member;
  }

  async setRole(organizationId: string, wanted: string, role: MemberRecord['role']): Promise<MemberRecord> {
    return this.#catalog.update((draft) => {
      const member = findOne('member', ofOrganization(draft, organizationId), wanted);
      if (role === 'member') {
        checkLastAdmin(draft, member);
        dropKeys(draft, member.id);
      }
      member.role = role;
      return structuredClone(member);
    });
  }

  async remove(organizationId: string, wanted: string): Promise<void> {
    const memberId = await this.#catalog.update((draft) => {
      const member = findOne('member', ofOrganization(draft, organizationId), wanted);
      checkLastAdmin(draft, member);
      dropKeys(draft, member.id);
      draft.members = draft.members.filter(({ id }) => id !== member.id);
      return member.id;
    });
    for (const follow of this.#followers) await follow(memberId);
  }

  /** Called after each removal, once it is saved: what is a member's own goes too, and who removes him waits for it. */
  onRemoved(follower: (memberId: string) => Promise<void>): void {
    this.#followers.push(follower);
  }
}

function ofOrganization<Data extends { members: readonly MemberRecord[] }>(
  { members }: Data,
  organizationId: string,
): Data['members'][number][] {
  return members.filter((member) => member.organizationId === organizationId);
}

function dropKeys(draft: Draft<CatalogData>, memberId: string): void {
  draft.keys = draft.keys.filter((key) => key.memberId !== memberId);
}

function checkLastAdmin(data: CatalogData, member: MemberRecord): void {
  if (member.role !== 'admin') return;
  const admins = ofOrganization(data, member.organizationId).filter(({ role }) => role === 'admin');
  if (admins.length === 1) throw new Problem('last_admin', { name: member.name });
}
