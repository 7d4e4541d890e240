import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { Credit, Usage } from '../../src/shared/api/organization.ts';
import { dataOf, expectStatus, type Step, step } from './command.ts';
import { balanceOf, liveGrants, type ModelOrganization, PRICE } from './model.ts';
import type { Answer } from './service.ts';

const index = fc.nat(3);
/** In thousandths, of which a match costs five: a few matches, with a rest now and then. */
const amount = fc.integer({ min: 1, max: 40 });
/** Seconds; so few that some expire before they are spent. */
const expiry = fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined });

function expectCredit(answer: Answer<{ readonly data: Credit }>, organization: ModelOrganization, now: number): void {
  const { unlimited, balance, grants, matches_left: matches } = dataOf(answer);
  const left = balanceOf(organization, now);
  const payable = organization.isUnlimited ? null : Math.floor(left / PRICE);
  const expected = [organization.isUnlimited, left / 1_000, liveGrants(organization, now).length, payable];
  deepStrictEqual([unlimited, balance, grants, matches], expected);
}

const grant = fc.tuple(index, amount, expiry).map(([o, left, seconds]) =>
  step(`grant organization ${o} ${left} thousandths for ${seconds} seconds`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const body = { amount: left / 1_000, expires_in_seconds: seconds };
    const answer = await service.operate<{ data: Credit }>('POST', '/admin/credit/grants', organization.id, body);
    expectStatus(answer, 201);
    organization.isUnlimited = false;
    organization.grants.push({ left, expiresAt: expiryAt(service.now, seconds) });
    expectCredit(answer, organization, service.now);
  }),
);

export const setCredit = (o: number, left: number | null, seconds: number | undefined): Step =>
  step(
    `organization ${o} has ${left ?? 'any number of'} thousandths for ${seconds} seconds`,
    async (model, service) => {
      const organization = model.pick('organizations', o);
      const body = { balance: left === null ? null : left / 1_000, expires_in_seconds: seconds };
      const answer = await service.operate<{ data: Credit }>('PUT', '/admin/credit', organization.id, body);
      expectStatus(answer, 200);
      organization.isUnlimited = left === null;
      if (left !== null) organization.grants = [{ left, expiresAt: expiryAt(service.now, seconds) }];
      expectCredit(answer, organization, service.now);
    },
  );

const set = fc.tuple(index, fc.option(fc.nat(40)), expiry).map(([o, left, seconds]) => setCredit(o, left, seconds));

const show = index.map((o) =>
  step(`credit and usage of organization ${o}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    expectCredit(await service.operate('GET', '/admin/credit', organization.id), organization, service.now);
    const told = dataOf(await service.operate<{ data: Usage[] }>('GET', '/admin/usage', organization.id));
    const read = model.taps.filter((tap) => tap.organization === organization && tap.prices.size > 0);
    const expected = read.map(({ id, prices }) => {
      const spent = [...prices.values()].reduce((sum, price) => sum + price, 0);
      return [id, prices.size, spent / 1_000] as const;
    });
    deepStrictEqual(
      told.map(({ id, matches, spent }) => [id, matches, spent] as const).sort(byId),
      [...expected].sort(byId),
    );
  }),
);

/** The credit of an organization, alone. */
export const creditOf = (o: number): Step =>
  step(`credit of organization ${o}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    expectCredit(await service.operate('GET', '/admin/credit', organization.id), organization, service.now);
  });

function expiryAt(now: number, seconds: number | undefined): number {
  return seconds === undefined ? Infinity : now + seconds * 1_000;
}

function byId([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : Number(a > b);
}

/** Of a request each. */
export const creditRequests = [grant, grant, set];
export const creditCommands = [...creditRequests, show, show];
