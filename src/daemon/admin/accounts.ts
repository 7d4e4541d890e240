import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import { FIRST_PLAN, type Plan, type PlanLimits } from '../accounts/plans.ts';
import { organizationOf } from '../http/auth.ts';
import { pathId } from '../http/parameters.ts';
import { timestamp } from '../outside.ts';
import type { CatalogData, KeyRecord, MemberRecord, OrganizationRecord } from '../storage/catalog.ts';
import {
  type Allowance,
  type Key,
  type KeyCreated,
  KeyCreation,
  type Member,
  MemberChange,
  MemberCreation,
  type Organization,
  OrganizationChange,
  OrganizationCreation,
} from '../../shared/api/organization.ts';

interface AccountDeps {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly catalog: { readonly data: CatalogData };
}

/** `/admin/organizations` and, of the organization that a request names, `/admin/members`. */
export function organizationRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { organizations } = deps.accounts;
  const shown = (organization: OrganizationRecord): Promise<Organization> => toWire(organization, deps);

  routes.route({
    method: 'GET',
    url: '/admin/organizations',
    handler: async () => ({ data: await Promise.all(organizations.list().map(shown)) }),
  });
  routes.route({
    method: 'POST',
    url: '/admin/organizations',
    schema: { body: OrganizationCreation },
    handler: async (request, reply) => {
      const { name, plan = FIRST_PLAN, admin = 'admin' } = request.body;
      return reply.code(201).send({ data: await shown(await organizations.create(name, plan, admin)) });
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/organizations/:id',
    schema: { params: pathId },
    handler: async (request) => ({ data: await shown(organizations.find(request.params.id)) }),
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/organizations/:id',
    schema: { params: pathId, body: OrganizationChange },
    handler: async (request) => {
      const { id, limits: own = {} } = organizations.find(request.params.id);
      const { name, plan, limits, reset_limits: reset = false } = request.body;
      const merged = { ...(!reset && own), ...(limits && fromWire(limits)) };
      const touched = reset || limits !== undefined;
      return { data: await shown(await organizations.change(id, { name, plan, ...(touched && { limits: merged }) })) };
    },
  });
  memberRoutes(app, deps);
}

function memberRoutes(app: FastifyInstance, { accounts, keys }: AccountDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { organizations, members } = accounts;
  const shown = (member: MemberRecord): Member => ({
    id: member.id,
    name: member.name,
    role: member.role,
    keys: keys.list(member.organizationId).filter(({ memberId }) => memberId === member.id).length,
    created_at: timestamp(Date.parse(member.createdAt)),
  });

  routes.route({
    method: 'GET',
    url: '/admin/members',
    handler: async (request) => {
      return { data: members.list(organizations.find(organizationOf(request)).id).map(shown) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/members',
    schema: { body: MemberCreation },
    handler: async (request, reply) => {
      const { id } = organizations.find(organizationOf(request));
      const { name, role = 'member' } = request.body;
      return reply.code(201).send({ data: shown(await members.add(id, name, role)) });
    },
  });
  routes.route({
    method: 'PATCH',
    url: '/admin/members/:id',
    schema: { params: pathId, body: MemberChange },
    handler: async (request) => {
      const { id } = organizations.find(organizationOf(request));
      return { data: shown(await members.setRole(id, request.params.id, request.body.role)) };
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/members/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await members.remove(organizations.find(organizationOf(request)).id, request.params.id);
      return reply.code(204).send();
    },
  });
}

async function toWire(organization: OrganizationRecord, deps: AccountDeps): Promise<Organization> {
  const { id, name, plan, limits = {}, createdAt } = organization;
  const { organizations, members, checks } = deps.accounts;
  const { taps, rules } = deps.catalog.data;
  const own = taps.filter((tap) => tap.organizationId === id);
  const ids = new Set(own.map((tap) => tap.id));
  return {
    id,
    name,
    plan,
    allowed: allowanceOf(organizations.allowance(organization)),
    own: names.filter(([, inPlan]) => limits[inPlan] !== undefined).map(([onWire]) => onWire),
    members: members.list(id).length,
    taps: own.length,
    active_taps: own.filter(({ status }) => status === 'active').length,
    rules: rules.filter(({ tapId }) => ids.has(tapId)).length,
    checks: await checks(id),
    created_at: timestamp(Date.parse(createdAt)),
  };
}

const names = [
  ['active_taps', 'activeTaps'],
  ['watched_urls', 'watchedUrls'],
  ['checks_a_month', 'checksAMonth'],
  ['fastest_minutes', 'fastestMinutes'],
  ['rules', 'rules'],
] as const satisfies readonly (readonly [keyof Allowance, keyof Plan])[];

function allowanceOf(plan: Plan): Allowance {
  const entries = names.map(([onWire, inPlan]) => [onWire, plan[inPlan] === Infinity ? null : plan[inPlan]]);
  return Object.fromEntries(entries) as Allowance;
}

function fromWire(limits: NonNullable<OrganizationChange['limits']>): PlanLimits {
  const given = names.filter(([onWire]) => limits[onWire] !== undefined);
  return Object.fromEntries(given.map(([onWire, inPlan]) => [inPlan, limits[onWire]]));
}

/** `/admin/keys`: the management keys of an organization. */
export function keyRoutes(app: FastifyInstance, keys: Keys, { organizations, members }: Accounts): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/keys',
    handler: async (request) => {
      const { id } = organizations.find(organizationOf(request));
      return { data: keys.list(id).map((key) => keyToWire(key, members.list(id))) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/keys',
    schema: { body: KeyCreation },
    handler: async (request, reply) => {
      const { organizationId, memberId } = organizations.operator(organizationOf(request));
      const { name, member } = request.body;
      const holder = member === undefined ? memberId : members.find(organizationId, member).id;
      const { record, key } = await keys.create(name, holder);
      const data = keyToWire(record, members.list(organizationId));
      return reply.code(201).send({ data, key } satisfies KeyCreated);
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/keys/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await keys.revoke(organizations.find(organizationOf(request)).id, request.params.id);
      return reply.code(204).send();
    },
  });
}

function keyToWire({ id, name, prefix, memberId, createdAt }: KeyRecord, members: readonly MemberRecord[]): Key {
  const member = members.find((one) => one.id === memberId)?.name ?? '';
  return { id, name, prefix, member, created_at: timestamp(Date.parse(createdAt)) };
}
