import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import { FIRST_PLAN, type Plan, type PlanLimits } from '../accounts/plans.ts';
import { organizationOf } from '../http/auth.ts';
import { pathId } from '../http/requests.ts';
import { type Outside, timestamp } from '../outside.ts';
import type { CatalogData, KeyRecord, MemberRecord, OrganizationRecord } from '../storage/catalog.ts';
import {
  type Allowance,
  type Credit,
  CreditChange,
  type CreditEntry,
  CreditGrant,
  type Key,
  type KeyCreated,
  KeyCreation,
  type Member,
  MemberChange,
  MemberCreation,
  type Organization,
  OrganizationChange,
  OrganizationCreation,
  type Usage,
  UsageQuestion,
} from '../../shared/api/organization.ts';
import { toCredits, toThousandths } from '../accounts/credit.ts';
import { Problem } from '../problem.ts';
import type { Account, CreditEntry as Entry } from '../storage/ledger.ts';

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

/** Seconds that a usage report reaches back when nothing is said: a week. */
const USAGE_SECONDS = 7 * 86_400;

/** `/admin/credit` and `/admin/usage`, of the organization that a request names. */
export function creditRoutes(app: FastifyInstance, accounts: Accounts, outside: Pick<Outside, 'now'>): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { credit, organizations, matchPrice } = accounts;
  const idOf = (request: FastifyRequest): string => organizations.find(organizationOf(request)).id;

  routes.route({
    method: 'GET',
    url: '/admin/credit',
    handler: async (request) => ({ data: creditToWire(await credit.show(idOf(request)), matchPrice) }),
  });
  routes.route({
    method: 'PUT',
    url: '/admin/credit',
    schema: { body: CreditChange },
    handler: async (request) => {
      const { balance, expires_in_seconds: seconds } = request.body;
      const id = idOf(request);
      const changing =
        balance === null ? credit.unlimit(id) : credit.set(id, thousandthsOf('balance', balance), seconds);
      return { data: creditToWire(await changing, matchPrice) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/credit/grants',
    schema: { body: CreditGrant },
    handler: async (request, reply) => {
      const { amount, expires_in_seconds: seconds } = request.body;
      const account = await credit.grant(idOf(request), thousandthsOf('amount', amount), seconds);
      return reply.code(201).send({ data: creditToWire(account, matchPrice) });
    },
  });
  routes.route({
    method: 'GET',
    url: '/admin/credit/history',
    handler: async (request) => {
      const entries = await credit.history(idOf(request));
      return { data: entries.map((entry) => entryToWire(entry, outside.now())) };
    },
  });
  usageRoute(app, accounts);
}

function usageRoute(app: FastifyInstance, { credit, metering, organizations }: Accounts): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'GET',
    url: '/admin/usage',
    schema: { querystring: UsageQuestion },
    handler: async (request) => {
      const { by = 'tap', since_seconds: seconds = String(USAGE_SECONDS) } = request.query;
      const { id } = organizations.find(organizationOf(request));
      await metering.settle();
      const rows = await credit.usage(id, by, Number(seconds));
      const data: Usage[] = rows.map(({ key, tapId, name, matches, spent }) => {
        return { id: key, tap: tapId ?? null, name, matches, spent: toCredits(spent) };
      });
      return { data };
    },
  });
}

function creditToWire({ unlimited, balance, grants, expiresNext }: Account, price: number): Credit {
  return {
    unlimited,
    balance: toCredits(balance),
    grants,
    expires_next: expiresNext === undefined ? null : timestamp(expiresNext),
    match_price: toCredits(price),
    matches_left: unlimited || price === 0 ? null : Math.floor(balance / price),
  };
}

function entryToWire({ at, kind, amount, left, withdrawn, expiresAt }: Entry, now: number): CreditEntry {
  return {
    at: timestamp(at),
    kind,
    amount: toCredits(amount),
    left: toCredits(left),
    withdrawn: toCredits(withdrawn),
    expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    expired: expiresAt !== undefined && expiresAt <= now,
  };
}

/** A finer amount would be another one than was asked for. */
function thousandthsOf(field: string, credits: number): number {
  const amount = toThousandths(credits);
  if (toCredits(amount) === credits) return amount;
  throw new Problem('invalid_field', { field, message: `The ${field} field must be in thousandths, as 12.345 is.` });
}
