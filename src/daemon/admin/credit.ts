import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import { toCredits, toThousandths } from '../accounts/credit.ts';
import { organizationOf } from '../http/auth.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Account, CreditEntry as Entry } from '../storage/ledger.ts';
import {
  type Credit,
  CreditChange,
  type CreditEntry,
  CreditGrant,
  type Usage,
  UsageQuestion,
} from '../../shared/api/credit.ts';

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
    handler: async (request) => ({ data: toWire(await credit.show(idOf(request)), matchPrice) }),
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
      return { data: toWire(await changing, matchPrice) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/credit/grants',
    schema: { body: CreditGrant },
    handler: async (request, reply) => {
      const { amount, expires_in_seconds: seconds } = request.body;
      const account = await credit.grant(idOf(request), thousandthsOf('amount', amount), seconds);
      return reply.code(201).send({ data: toWire(account, matchPrice) });
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

function usageRoute(app: FastifyInstance, { credit, organizations }: Accounts): void {
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method: 'GET',
    url: '/admin/usage',
    schema: { querystring: UsageQuestion },
    handler: async (request) => {
      const { by = 'tap', since_seconds: seconds = String(USAGE_SECONDS) } = request.query;
      const { id } = organizations.find(organizationOf(request));
      const rows = await credit.usage(id, by, Number(seconds));
      const data: Usage[] = rows.map(({ key, tapId, name, matches, spent }) => {
        return { id: key, tap: tapId ?? null, name, matches, spent: toCredits(spent) };
      });
      return { data };
    },
  });
}

function toWire({ unlimited, balance, grants, expiresNext }: Account, price: number): Credit {
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
