import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { KeyCreated, Organization } from '../../src/shared/api/organization.ts';
import { dataOf, expectStatus, type Step, step } from './command.ts';

const index = fc.nat(20);

const addKey = index.map((o) =>
  step(`make a key for organization ${o}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const answer = await service.operate('POST', '/admin/keys', organization.id, { name: 'one' });
    expectStatus(answer, 201);
    const { data, key } = answer.body as KeyCreated;
    model.keys.push({ organization, id: data.id, key, isRevoked: false });
  }),
);

const revokeKey = fc.tuple(index, index).map(([k, o]) =>
  step(`revoke key ${k} for organization ${o}`, async (model, service) => {
    const [key, organization] = [model.pick('keys', k), model.pick('organizations', o)];
    const answer = await service.operate('DELETE', `/admin/keys/${key.id}`, organization.id);
    const isThere = !key.isRevoked && key.organization === organization;
    if (isThere) key.isRevoked = true;
    else if (answer.status === 403) return expectStatus(answer, 403);
    return expectStatus(answer, isThere ? 204 : 404);
  }),
);

/** Lower than what is there takes nothing away: there is no more until there is room. */
const limit = fc.tuple(index, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 12 })).map(([o, taps, rules]) =>
  step(`organization ${o} may have ${taps} taps and ${rules} rules`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const path = `/admin/organizations/${organization.id}`;
    expectStatus(await service.operate('PATCH', path, organization.id, { limits: { active_taps: taps, rules } }), 200);
    organization.activeTaps = taps;
    organization.rules = rules;
  }),
);

/** What the organizations may have. */
export const limits = (): Step =>
  step('limits of all organizations', async (model, service) => {
    const told = dataOf(await service.operate<{ data: Organization[] }>('GET', '/admin/organizations', ''));
    const allowed = new Map(told.map((one) => [one.id, one.allowed]));
    deepStrictEqual(
      model.organizations.map(({ id }) => [
        allowed.get(id)?.active_taps ?? Infinity,
        allowed.get(id)?.rules ?? Infinity,
      ]),
      model.organizations.map(({ activeTaps, rules }) => [activeTaps, rules]),
    );
  });

const restart = fc.constant(step('restart', async (_, service) => service.restart()));

const crash = fc.constant(step('crash', async (_, service) => service.crash()));

/** Of a request each. */
export const accountRequests = [addKey, revokeKey, limit];
export const accountCommands = [...accountRequests, restart, crash];
