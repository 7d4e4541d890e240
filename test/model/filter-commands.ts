import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import type { Filter, FilterUse } from '../../src/shared/api/rule.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { dataOf, expectStatus, type Step, step } from './command.ts';
import type { Model, ModelFilter, ModelOrganization } from './model.ts';
import type { Answer } from './service.ts';

const index = fc.nat(3);
const anyName = fc.constantFrom('a', 'b', 'c');
/** One so long that three of it are too long for a rule. */
const LONG = 'ferry '.repeat(1_000).trim();
const anyText = fc.constantFrom('ferry', 'title:tram OR canoe', 'dr:[50 TO *]', LONG, 'titel:x', '-spam', '$a', '');

const isText = (text: string): boolean => !text.includes('$') && validate(text).valid;
const short = (text: string): string => text.slice(0, 20);

const add = fc.tuple(index, anyName, anyText).map(([o, name, value]) =>
  step(`save filter ${name} of organization ${o}: ${short(value)}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const answer = await service.operate('POST', '/admin/filters', organization.id, { name, value });
    const isTaken = isText(value) && !model.filter(organization, name);
    expectStatus(answer, isTaken ? 201 : 422);
    if (isTaken) model.filters.push({ organization, name, value });
  }),
);

const change = fc.tuple(index, anyName, anyText).map(([o, name, value]) =>
  step(`change filter ${name} of organization ${o}: ${short(value)}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const answer = await service.operate('PATCH', `/admin/filters/${name}`, organization.id, { value });
    const filter = model.filter(organization, name);
    if (!filter) return expectStatus(answer, 404);
    if (!isText(value)) return expectStatus(answer, 422);
    const former = filter.value;
    filter.value = value;
    const isBreaking = model.uses(organization, name).some((rule) => !model.isAccepted(organization, rule.value));
    if (isBreaking) filter.value = former;
    return expectStatus(answer, isBreaking ? 422 : 200);
  }),
);

const remove = fc.tuple(index, anyName).map(([o, name]) =>
  step(`remove filter ${name} of organization ${o}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const answer = await service.operate('DELETE', `/admin/filters/${name}`, organization.id);
    const filter = model.filter(organization, name);
    if (!filter) return expectStatus(answer, 404);
    if (model.uses(organization, name).length > 0) return expectStatus(answer, 422);
    model.filters = model.filters.filter((other) => other !== filter);
    return expectStatus(answer, 204);
  }),
);

const list = index.map((o) =>
  step(`list the filters of organization ${o}, and what refers to each`, async (model, service) => {
    const organization = model.pick('organizations', o);
    const known = expectFilters(await service.operate('GET', '/admin/filters', organization.id), model, organization);
    for (const { name } of known) {
      const uses = dataOf(
        await service.operate<{ data: FilterUse[] }>('GET', `/admin/filters/${name}/uses`, organization.id),
      );
      const expected = model.uses(organization, name).map(({ id }) => id);
      deepStrictEqual(uses.map((use) => use.rule_id).sort(), expected.sort());
    }
  }),
);

/** The filters of an organization, alone. */
export const filtersOf = (o: number): Step =>
  step(`filters of organization ${o}`, async (model, service) => {
    const organization = model.pick('organizations', o);
    expectFilters(await service.operate('GET', '/admin/filters', organization.id), model, organization);
  });

function expectFilters(
  answer: Answer<{ data: Filter[] }>,
  model: Model,
  organization: ModelOrganization,
): ModelFilter[] {
  const known = model.filters.filter((filter) => filter.organization === organization);
  deepStrictEqual(
    dataOf(answer).map(({ name, value }) => [name, value]),
    known.map(({ name, value }) => [name, value]),
  );
  return known;
}

/** Of a request each. */
export const filterRequests = [add, add, change, change, remove];
export const filterCommands = [...filterRequests, list];
