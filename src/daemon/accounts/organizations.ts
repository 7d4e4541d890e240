import { planLimitNames, type Plan, type PlanLimits, Plans, wrongLimit } from './plans.ts';
import type { Manager } from './principal.ts';
import { findOne } from './lookup.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, Draft, OrganizationRecord } from '../storage/catalog.ts';
import { ORGANIZATIONS } from '../../shared/limits.ts';

export type TermsFollower = (before: OrganizationRecord, after: OrganizationRecord) => Promise<void>;

/** What is to change; absent: stays. */
export interface OrganizationChange {
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
  throw new Problem('invalid_field', { field: 'name', message: `There is an organization "${name}" already.` });
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
