import { beforeEach, describe, expect, test } from 'vitest';
import type { TapHolder } from '../../../src/daemon/accounts/keys.ts';
import type { Filters } from '../../../src/daemon/filters/filters.ts';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import { RuleRegistration } from '../../../src/daemon/taps/rule-registration.ts';
import { FILTERS_PER_ORGANIZATION, QUERY_LENGTH } from '../../../src/shared/limits.ts';
import { print } from '../../../src/shared/query/syntax/print.ts';
import { addNeighbour, type House, openHouse, RecordingIndex } from '../taps/house.ts';

let house: House;
let filters: Filters;
let holder: TapHolder;
let own: string;

beforeEach(async () => {
  house = await openHouse();
  own = house.organizationId;
  ({ filters } = house);
  holder = await newHolder(own);
});

async function newHolder(organizationId: string): Promise<TapHolder> {
  const { id } = await house.taps.create(organizationId, 'news');
  return { kind: 'tap', tapId: id, organizationId };
}

const refusal = (attempt: () => unknown): Promise<Problem> =>
  (async () => attempt())().then(
    () => expect.unreachable('nothing was refused'),
    (error: Problem) => error,
  );
const registeredQuery = (id: string): string => {
  const rule = house.index.registered.get(id);
  return rule ? print(rule.query) : 'not registered';
};

describe('a saved filter', () => {
  test('is kept with its text, and shown as the decisions have it', async () => {
    const { data, diagnostics } = await filters.add(own, { name: 'big-sites', value: 'dr:[50 TO *]' });
    const created_at = '2026-02-27T10:00:00+00:00';
    expect(data).toEqual({ id: data.id, name: 'big-sites', value: 'dr:[50 TO *]', created_at });
    expect(diagnostics).toBeUndefined();
    expect(filters.list(own)).toEqual([data]);
    for (const wanted of [data.id, data.id.slice(0, 8), 'big-sites', '$big-sites']) {
      expect(filters.show(own, wanted)).toEqual(data);
    }
  });

  test('is told the warnings of its text', async () => {
    const { diagnostics } = await filters.add(own, { name: 'x', value: 'ferry and tram' });
    expect(diagnostics).toMatchObject([{ code: 'lowercase_operator', severity: 'warning' }]);
  });

  test.each(['', 'no spaces', '$x', 'ü', 'a'.repeat(65)])('cannot be called %j', async (name) => {
    const problem = await refusal(() => filters.add(own, { name, value: 'ferry' }));
    expect(answerTo(problem).body.errors).toEqual({
      name: ['The name of a filter has 1 to 64 letters (A to Z), digits, - and _, and no $.'],
    });
  });

  test('has a name that no other of its organization has, and 64 characters are a name', async () => {
    const name = 'a-Z_9'.padEnd(64, 'x');
    await filters.add(own, { name, value: 'ferry' });
    expect((await refusal(() => filters.add(own, { name, value: 'tram' }))).code).toBe('invalid_field');
    const neighbour = await addNeighbour(house.catalog);
    await filters.add(neighbour.organizationId, { name, value: 'tram' });
    expect(filters.list(own)).toHaveLength(1);
    expect(filters.show(neighbour.organizationId, name).value).toBe('tram');
  });

  test.each([
    ['titel:x', 'invalid_query'],
    ['', 'invalid_query'],
    ['ferry AND (', 'invalid_query'],
    ['ferry) OR (tram', 'invalid_query'],
    ['*:*', 'invalid_query'],
    ['ferry AND $other', 'invalid_field'],
    ['"$100"', 'invalid_field'],
  ])('cannot have the text %j', async (value, code) => {
    expect((await refusal(() => filters.add(own, { name: 'x', value }))).code).toBe(code);
    expect(filters.list(own)).toEqual([]);
  });

  test.each([
    ['NOT title:tag AND NOT url:*\\/tag\\/*', 'title:tag OR url:*\\/tag\\/*', '-(title:tag url:*\\/tag\\/*)'],
    ['-spam', 'added:spam', '-added:spam'],
    ['-spam -(+ham +eggs)', 'added:spam OR (+added:ham +added:eggs)', '-(added:spam (+added:ham +added:eggs))'],
  ])('that only says NOT is refused, and told the other way round: %s', async (value, unwanted, registered) => {
    const problem = await refusal(() => filters.add(own, { name: 'no-junk', value }));
    const { body } = answerTo(problem);
    expect(body.message).toContain('and write AND NOT $no-junk in the rules.');
    expect(body.diagnostics).toMatchObject([{ code: 'only_negative', hint: { replacement: unwanted } }]);
    await filters.add(own, { name: 'junk', value: unwanted });
    const { rule } = await house.rules.create(holder, { value: 'ferry AND NOT $junk' });
    expect(registeredQuery(rule.id)).toBe(`+added:ferry ${registered}`);
  });

  test('cannot be longer than a query', async () => {
    const value = 'x'.repeat(QUERY_LENGTH + 1);
    const { facts } = await refusal(() => filters.add(own, { name: 'x', value }));
    expect(facts).toMatchObject({ diagnostics: [{ code: 'query_too_long' }] });
  });

  test('there is room for fifty', async () => {
    for (let made = 0; made < FILTERS_PER_ORGANIZATION; made++)
      await filters.add(own, { name: `f${made}`, value: 'ferry' });
    const problem = await refusal(() => filters.add(own, { name: 'f50', value: 'ferry' }));
    expect(answerTo(problem).body.message).toBe(
      'Filter limit reached. An organization may have up to 50 saved filters. Remove one that no rule uses: hydrant filter remove <name>',
    );
  });
});

describe('a rule with a reference', () => {
  test('is registered with the text in parentheses, and kept as it was written', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry OR tram' });
    const { rule, warnings } = await house.rules.create(holder, { value: 'title:news AND $boats' });
    expect([rule.value, warnings]).toEqual(['title:news AND $boats', []]);
    expect(registeredQuery(rule.id)).toBe('+title:news +(added:ferry added:tram)');
  });

  test('is refused when nothing has that name, or only another organization has it', async () => {
    const neighbour = await addNeighbour(house.catalog);
    await filters.add(neighbour.organizationId, { name: 'boats', value: 'ferry' });
    await filters.add(own, { name: 'boots', value: 'shoe' });
    const problem = await refusal(() => house.rules.create(holder, { value: 'title:news AND $boats' }));
    expect([problem.code, problem.facts]).toMatchObject(['unknown_filter', { field: 'value', name: 'boats' }]);
    expect(answerTo(problem)).toMatchObject({
      status: 422,
      body: {
        message: 'There is no saved filter named boats. The closest filter is $boots. (at position 15: $boats)',
        diagnostics: [{ code: 'unknown_filter', hint: { replacement: '$boots' } }],
      },
    });
    const { rule } = await house.rules.create(holder, { value: 'title:news' });
    const changing = await refusal(() => house.rules.change(holder, rule.id, { value: '$boats' }));
    expect(changing.code).toBe('unknown_filter');
    expect(house.rules.list(holder)).toEqual([rule]);
  });

  test.each([0, 1, 2, 3])(
    'and its filter, which goes while it is on its way: one of both is refused (%i)',
    async (turns) => {
      await filters.add(own, { name: 'boats', value: 'ferry' });
      const removing = refusal(() => filters.remove(own, 'boats'));
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const creating = refusal(() => house.rules.create(holder, { value: '$boats' }));
      const outcomes = await Promise.allSettled([removing, creating]);
      const codes = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.code : []));
      expect(codes).toHaveLength(1);
      expect(['filter_in_use', 'unknown_filter']).toContain(codes[0]);
      expect(filters.list(own)).toHaveLength(house.rules.list(holder).length);
    },
  );

  test('is told the places of the query with its filters written out', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry OR tram' });
    const problem = await refusal(() => house.rules.create(holder, { value: '$boats AND titel:x' }));
    expect(problem.facts).toMatchObject({ diagnostics: [{ span: { start: 20, end: 25 } }] });
  });

  test('is refused when the whole is too long', async () => {
    await filters.add(own, { name: 'long', value: 'ferry '.repeat(1_000) });
    const problem = await refusal(() => house.rules.create(holder, { value: '$long $long $long' }));
    expect(problem.facts).toMatchObject({ diagnostics: [{ code: 'query_too_long' }] });
  });

  test('is registered with it again after a restart', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry OR tram' });
    const { rule } = await house.rules.create(holder, { value: 'title:news AND $boats' });
    const index = new RecordingIndex();
    expect(new RuleRegistration(house.catalog, index).registerAll()).toEqual([]);
    expect(index.registered.get(rule.id)).toEqual(house.index.registered.get(rule.id));
  });
});

describe('a change of a filter', () => {
  test('recompiles each rule that refers to it, and no other', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry' });
    await filters.add(own, { name: 'boat', value: 'tram' });
    const other = await newHolder(own);
    const one = await house.rules.create(holder, { value: '$boats' });
    const two = await house.rules.create(other, { value: 'title:news AND $boats' });
    const three = await house.rules.create(holder, { value: '$boat OR "$boats" OR \\$boats' });
    house.index.calls.length = 0;
    const { data } = await filters.change(own, 'boats', { value: 'canoe' });
    expect(data.value).toBe('canoe');
    expect([one, two].map(({ rule }) => registeredQuery(rule.id))).toEqual(['added:canoe', '+title:news +added:canoe']);
    expect(house.index.calls.filter((call) => call.endsWith(three.rule.id))).toEqual([]);
    expect(filters.uses(own, 'boats').map((use) => use.rule_id)).toEqual([one.rule.id, two.rule.id]);
  });

  test('registers nothing on a paused tap, until it is resumed', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry' });
    const { rule } = await house.rules.create(holder, { value: '$boats' });
    await house.taps.change(own, holder.tapId, { status: 'paused' });
    await filters.change(own, 'boats', { value: 'canoe' });
    expect(registeredQuery(rule.id)).toBe('not registered');
    await house.taps.change(own, holder.tapId, { status: 'active' });
    expect(registeredQuery(rule.id)).toBe('added:canoe');
  });

  test('is refused when a rule would be, with the rule’s name, and nothing changes', async () => {
    await filters.add(own, { name: 'long', value: 'ferry' });
    await house.rules.create(holder, { value: '$long $long $long', tag: 'three' });
    await house.rules.create(holder, { value: '$long', tag: 'one' });
    const problem = await refusal(() => filters.change(own, 'long', { value: 'ferry '.repeat(1_000) }));
    const { body } = answerTo(problem);
    expect(body.message).toContain('With this, 1 rule with a reference to the filter long would be refused: three. ');
    expect(body.diagnostics).toMatchObject([{ code: 'query_too_long' }]);
    expect(filters.show(own, 'long').value).toBe('ferry');
    expect((await refusal(() => filters.change(own, 'long', { value: '(' }))).code).toBe('invalid_query');
  });

  test('of its name alone is free where no rule refers to it', async () => {
    const { data } = await filters.add(own, { name: 'boats', value: 'ferry' });
    await filters.add(own, { name: 'taken', value: 'ferry' });
    expect((await filters.change(own, 'boats', { name: 'ships' })).data).toEqual({ ...data, name: 'ships' });
    expect((await refusal(() => filters.change(own, 'ships', { name: 'taken' }))).code).toBe('invalid_field');
    await house.rules.create(holder, { value: '$ships' });
    const problem = await refusal(() => filters.change(own, 'ships', { name: 'boats' }));
    expect(answerTo(problem).body.message).toMatch(
      /^With this, 1 rule with a reference to the filter ships would be refused: [^ ]+\. There is no saved filter named ships\. To search for it as a word, escape the dollar sign\. \(at position 0: \$ships\)$/,
    );
    expect((await filters.change(own, 'ships', { name: 'ships' })).data.name).toBe('ships');
  });
});

describe('a filter that is removed', () => {
  test('is refused while a rule refers to it, paused or not', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry' });
    const { rule } = await house.rules.create(holder, { value: '$boats', tag: 'b' });
    await house.taps.change(own, holder.tapId, { status: 'paused' });
    const problem = await refusal(() => filters.remove(own, 'boats'));
    expect(answerTo(problem).body.message).toBe('The filter boats is in use by 1 rule: b.');
    await house.rules.remove(holder, rule.id);
    await filters.remove(own, 'boats');
    expect(filters.list(own)).toEqual([]);
    expect((await refusal(() => filters.remove(own, 'boats'))).code).toBe('not_found');
  });
});

describe('a filter that the trigger of a watch refers to', () => {
  const url = 'https://example.org/timetable';
  const inUse = `The filter boats is in use by 1 trigger of watches: ${url}.`;

  beforeEach(async () => {
    await filters.add(own, { name: 'boats', value: 'ferry' });
    await house.watches.add(house.operator, { url, frequency_minutes: 60, options: { trigger: '$boats AND harbour' } });
  });

  test('is not removed, and has its name and no other; its text may change', async () => {
    for (const attempt of [
      () => filters.remove(own, 'boats'),
      () => filters.change(own, '$boats', { name: 'ships' }),
    ]) {
      expect(answerTo(await refusal(attempt)).body.message).toBe(inUse);
    }
    expect((await filters.change(own, 'boats', { name: 'boats', value: 'tram' })).data.value).toBe('tram');
    await house.rules.create(holder, { value: '$boats', tag: 'b' });
    expect(answerTo(await refusal(() => filters.remove(own, 'boats'))).body.message).toBe(
      `The filter boats is in use by 1 rule: b; and by 1 trigger of watches: ${url}.`,
    );
  });

  test('is free when the watch is gone', async () => {
    const [watch] = await house.watches.list(house.operator);
    await house.watches.remove(house.operator, watch?.id ?? '');
    await filters.remove(own, 'boats');
    expect(filters.list(own)).toEqual([]);
  });
});

describe('the door of the validation', () => {
  test('has the filters of one organization', async () => {
    await filters.add(own, { name: 'boats', value: 'ferry OR tram' });
    const { filters: bodyOf, filterNames } = filters.lookup(own);
    expect([bodyOf?.('boats'), bodyOf?.('nothing'), filterNames]).toEqual(['ferry OR tram', undefined, ['boats']]);
    expect(filters.lookup('another').filterNames).toEqual([]);
  });
});
