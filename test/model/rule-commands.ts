import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { Rule, RuleChange } from '../../src/shared/api/rule.ts';
import type { ValidationResult } from '../../src/shared/api/diagnostic.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { dataOf, expectStatus, step } from './command.ts';
import type { Model, ModelRule, ModelTap } from './model.ts';

const index = fc.nat(40);
const hasTap = ({ taps }: Pick<Model, 'taps'>): boolean => taps.length > 0;
const hasRule = ({ rules }: Pick<Model, 'rules'>): boolean => rules.length > 0;

/** Good ones, bad ones, and some that are good as long as their filters are. */
export const anyQuery = fc.constantFrom(
  'ferry',
  'title:ferry AND language:en',
  'tram OR canoe',
  'titel:x',
  '',
  'NOT ferry',
  'language:xx',
  '$a',
  'ferry AND $a',
  'ferry AND NOT $b',
  '$a OR $b',
  'title:($a)',
  '$a $a $a',
  '$c tram',
  '-$b',
);
const switches = fc.record(
  { tag: fc.constantFrom('x', 'y', null), quality: fc.boolean(), nsfw: fc.boolean() },
  { requiredKeys: [] },
);

function toWire({ id, value, tag, nsfw, quality }: ModelRule): Rule {
  return { id, value, ...(tag !== undefined && { tag }), nsfw, quality };
}

/** What a tap's token is told of a rule; undefined: it is the tap's. */
function refused(tap: ModelTap, rule: ModelRule): number | undefined {
  if (tap.isRevoked) return 401;
  if (rule.isGone) return 404;
  if (rule.tap === tap) return undefined;
  return rule.tap.organization === tap.organization ? 404 : 403;
}

const create = fc.tuple(index, anyQuery, switches).map(([t, value, { tag, ...asked }]) =>
  step(
    `create rule ${value} on tap ${t}`,
    async (model, service) => {
      const tap = model.pick('taps', t);
      const body = { value, ...asked, ...(tag !== undefined && { tag }) };
      const answer = await service.ask<{ data: Rule }>('POST', '/v1/rules', tap.token, body);
      if (tap.isRevoked) return expectStatus(answer, 401);
      const isTaken = model.isAccepted(tap.organization, value) && model.hasRoomForRule(tap.organization);
      expectStatus(answer, isTaken ? 201 : 422);
      if (!isTaken) return undefined;
      const { id } = dataOf(answer);
      const rule = { tap, id, value, tag: tag ?? undefined, quality: true, nsfw: false, ...asked, isGone: false };
      model.rules.push(rule);
      return deepStrictEqual(dataOf(answer), toWire(rule));
    },
    hasTap,
  ),
);

function apply(rule: ModelRule, { value, tag, quality, nsfw }: RuleChange): void {
  rule.value = value ?? rule.value;
  rule.quality = quality ?? rule.quality;
  rule.nsfw = nsfw ?? rule.nsfw;
  if (tag !== undefined) rule.tag = tag ?? undefined;
}

const change = fc
  .tuple(index, index, fc.option(anyQuery, { nil: undefined }), switches)
  .map(([t, r, value, { tag, ...asked }]) =>
    step(
      `change rule ${r} with the token of tap ${t}: ${value}`,
      async (model, service) => {
        const rule = model.pick('rules', r);
        // The token of its own tap more often than another one.
        const tap = t % 3 === 0 ? model.pick('taps', t) : rule.tap;
        const body = { ...asked, ...(value !== undefined && { value }), ...(tag !== undefined && { tag }) };
        const answer = await service.ask<{ data: Rule }>('PUT', `/v1/rules/${rule.id}`, tap.token, body);
        const isRefused = value !== undefined && !model.isAccepted(tap.organization, value);
        // A bad query is told before the rule is looked for; a revoked token before all.
        const refusal = tap.isRevoked ? 401 : isRefused ? 422 : refused(tap, rule);
        if (refusal !== undefined) return expectStatus(answer, refusal);
        expectStatus(answer, 200);
        apply(rule, body);
        return deepStrictEqual(dataOf(answer), toWire(rule));
      },
      hasRule,
    ),
  );

const remove = fc.tuple(index, index).map(([t, r]) =>
  step(
    `remove rule ${r} with the token of tap ${t}`,
    async (model, service) => {
      const [rule, tap] = [model.pick('rules', r), model.pick('taps', t)];
      const answer = await service.ask('DELETE', `/v1/rules/${rule.id}`, tap.token);
      const refusal = refused(tap, rule);
      expectStatus(answer, refusal ?? 204);
      if (refusal === undefined) rule.isGone = true;
    },
    hasRule,
  ),
);

const list = index.map((t) =>
  step(
    `list the rules of tap ${t}`,
    async (model, service) => {
      const tap = model.pick('taps', t);
      const answer = await service.ask<{ data: Rule[] }>('GET', '/v1/rules', tap.token);
      if (tap.isRevoked) return expectStatus(answer, 401);
      return deepStrictEqual(dataOf(answer), model.rulesOf(tap).map(toWire));
    },
    hasTap,
  ),
);

const asking = fc.tuple(index, anyQuery).map(([t, query]) =>
  step(
    `validate ${query} for tap ${t}`,
    async (model, service) => {
      const tap = model.pick('taps', t);
      const answer = await service.ask('POST', '/v1/validate', tap.token, { query });
      if (tap.isRevoked) return expectStatus(answer, 401);
      const text = model.expanded(tap.organization, query);
      if (text === undefined) return expectStatus(answer, 422);
      expectStatus(answer, 200);
      const { compiled, valid } = answer.body as ValidationResult;
      const expected = validate(text);
      return deepStrictEqual([valid, compiled], [expected.valid, expected.compiled]);
    },
    hasTap,
  ),
);

/** Of a request each. */
export const ruleCommands = [create, create, create, create, change, change, remove, list, asking];
