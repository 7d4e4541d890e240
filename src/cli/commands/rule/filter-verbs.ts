import type { Filter, FilterSaved, FilterUse } from '../../../shared/api/filter.ts';
import type { Client } from '../../client/client.ts';
import { found } from '../../client/found.ts';
import { Refused } from '../../client/refusal.ts';
import { UsageError } from '../../failure.ts';
import type { Field } from '../../output.ts';
import { relative } from '../../time.ts';
import { invalidQuery, warn } from '../query-report.ts';
import { confirm } from '../confirm.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';

/** What `hydrant filter <verb>` does. */
export async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.filters.list(), {
    id: (filter: Filter) => filter.id,
    columns: [
      { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
      { title: 'name', show: ({ name }) => `$${name}`, plain: ({ name }) => name },
      { title: 'text', show: ({ value }) => value },
      { title: 'created', show: (one) => relative(one.created_at, out.now), plain: (one) => one.created_at },
    ],
    none: "no saved filters; save one with: hydrant filter add <name> '<query>'",
  });
}

export async function show({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const filter = await known(client, wanted, () => client.filters.show(wanted));
  const uses = await client.filters.uses(filter.id);
  const fields: readonly Field[] = [
    ['id', filter.id],
    ['name', filter.name],
    ['text', filter.value],
    ['created', out.forPeople ? relative(filter.created_at, out.now) : filter.created_at],
    ['in use by', count(uses.length, 'rule')],
  ];
  out.fields({ ...filter, rules: uses.map((use) => use.rule_id) }, { id: filter.id, fields });
}

export async function uses({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  out.list(await known(client, wanted, () => client.filters.uses(wanted)), {
    id: (use: FilterUse) => use.rule_id,
    columns: [
      { title: 'rule', show: (use) => use.rule_id.slice(0, 8), plain: (use) => use.rule_id },
      { title: 'tag', show: (use) => use.tag ?? '' },
      { title: 'query', show: (use) => use.value },
    ],
    none: `no rule refers to ${wanted}`,
  });
}

export async function add(session: Session, name: string, query: string): Promise<void> {
  const { client } = await session.connect();
  const value = await textOf(session, query);
  const saved = await told(value, () => client.filters.add({ name, value }));
  const { data } = saved;
  session.out.one(data, { id: data.id, lines: [`filter $${data.name}`], plain: [data.id] });
  say(session, saved);
  session.out.notice(`saved; write $${data.name} in a rule`, 'hydrant rule add --help');
}

export async function edit(
  session: Session,
  wanted: string,
  flags: { readonly value?: string; readonly name?: string },
): Promise<void> {
  const { name } = flags;
  if (name === undefined && flags.value === undefined) {
    throw new UsageError('nothing to change', { hint: 'give --value or --name' });
  }
  const { client } = await session.connect();
  const value = flags.value === undefined ? undefined : await textOf(session, flags.value);
  const change = { ...(value !== undefined && { value }), ...(name !== undefined && { name }) };
  const saved = await told(value, () => known(client, wanted, () => client.filters.change(wanted, change)));
  const { id } = saved.data;
  const rules = await client.filters.uses(id);
  const follow = rules.length === 0 ? '' : `, and with it ${count(rules.length, 'rule')}`;
  session.out.done(saved.data, { id, notice: `filter $${saved.data.name} changed${follow}` });
  say(session, saved);
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
export async function remove(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  const chosen = new Map<string, Filter>();
  for (const word of wanted) {
    const filter = await known(client, word, () => client.filters.show(word));
    chosen.set(filter.id, filter);
  }
  const names = [...chosen.values()].map(({ name }) => `$${name}`).join(', ');
  await confirm(session, `Remove ${chosen.size === 1 ? 'the filter' : 'the filters'} ${names}?`);
  for (const { id, name, value } of chosen.values()) {
    await client.filters.remove(id);
    session.out.done({ id, name, removed: true }, { id, notice: `filter $${name} removed; it was: ${value}` });
  }
}

/** A filter that is not there is told with those that are. */
async function known<Result>(client: Client, wanted: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) {
      found('filter', await client.filters.list(), wanted, ({ name }) => name);
    }
    throw error;
  }
}

async function textOf({ context }: Session, query: string): Promise<string> {
  return query === '-' ? (await context.readInput('the query')).trim() : query;
}

function say(session: Session, { data, diagnostics = [] }: FilterSaved): void {
  warn(session, diagnostics, data.value);
}

/** What is wrong with the text is shown in it. What is wrong with a rule is not: its query is not at hand. */
async function told<Result>(value: string | undefined, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    const isOfText = error instanceof Refused && error.diagnostics.length > 0 && error.details.field === 'value';
    if (isOfText && value !== undefined) throw invalidQuery(error.diagnostics, value, undefined, error);
    throw error;
  }
}
