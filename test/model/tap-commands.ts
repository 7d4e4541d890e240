import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { TapCreated, Tap } from '../../src/shared/api/tap.ts';
import { dataOf, expectStatus, type Step, step } from './command.ts';
import type { Model, ModelKey, ModelTap } from './model.ts';

const hasTap = ({ taps }: Pick<Model, 'taps'>): boolean => taps.length > 0;
const index = fc.nat(30);

/** What a management key is told of a tap, before anything else about it counts; undefined: it may go on. */
function refused(key: ModelKey, tap: ModelTap): number | undefined {
  if (key.isRevoked) return 401;
  if (tap.isRevoked) return 404;
  return tap.organization === key.organization ? undefined : 403;
}

const create = fc.tuple(index, fc.constantFrom('news', 'jobs')).map(([k, name]) =>
  step(`create tap ${name} with key ${k}`, async (model, service) => {
    const key = model.pick('keys', k);
    const answer = await service.ask('POST', '/v1/taps', key.key, { name });
    if (key.isRevoked) return expectStatus(answer, 401);
    if (!model.hasRoomForTap(key.organization)) return expectStatus(answer, 422);
    expectStatus(answer, 201);
    const { data, token } = answer.body as TapCreated;
    const { organization } = key;
    const unread = { events: [], prices: new Map<number, number>() };
    model.taps.push({ organization, id: data.id, token, name, status: 'active', isRevoked: false, ...unread });
    return undefined;
  }),
);

const change = fc
  .tuple(index, index, fc.constantFrom('active', 'paused', undefined), fc.constantFrom('renamed', undefined))
  .map(([k, t, status, name]) =>
    step(
      `change tap ${t} with key ${k}: ${status} ${name}`,
      async (model, service) => {
        const [key, tap] = [model.pick('keys', k), model.pick('taps', t)];
        const body = { ...(status && { status }), ...(name && { name }) };
        const answer = await service.ask('PUT', `/v1/taps/${tap.id}`, key.key, body);
        const refusal = refused(key, tap);
        if (refusal !== undefined) return expectStatus(answer, refusal);
        const isResumed = status === 'active' && tap.status === 'paused';
        if (isResumed && !model.hasRoomForTap(tap.organization)) return expectStatus(answer, 422);
        expectStatus(answer, 200);
        tap.status = status ?? tap.status;
        tap.name = name ?? tap.name;
        return undefined;
      },
      hasTap,
    ),
  );

const revoke = fc.tuple(index, index).map(([k, t]) =>
  step(
    `revoke tap ${t} with key ${k}`,
    async (model, service) => {
      const [key, tap] = [model.pick('keys', k), model.pick('taps', t)];
      const answer = await service.ask('DELETE', `/v1/taps/${tap.id}`, key.key);
      const refusal = refused(key, tap);
      expectStatus(answer, refusal ?? 204);
      if (refusal !== undefined) return;
      for (const rule of model.rulesOf(tap)) rule.isGone = true;
      tap.isRevoked = true;
    },
    hasTap,
  ),
);

/** The taps of a key's organization. */
export const tapsOf = (k: number): Step =>
  step(`list taps with key ${k}`, async (model, service) => {
    const key = model.pick('keys', k);
    const answer = await service.ask<{ data: Tap[] }>('GET', '/v1/taps', key.key);
    if (key.isRevoked) return expectStatus(answer, 401);
    const told = dataOf(answer).map((tap) => [tap.id, tap.token, tap.name, tap.status, tap.rules_count]);
    const known = model.tapsOf(key.organization);
    const expected = known.map((tap) => [tap.id, tap.token, tap.name, tap.status, model.rulesOf(tap).length]);
    return deepStrictEqual(told, expected);
  });

const list = index.map(tapsOf);

/** Of a request each. Made more often than revoked, so that there is something to work with. */
export const tapCommands = [create, create, create, change, change, change, revoke, list];
