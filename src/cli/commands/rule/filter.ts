import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Filter, FilterSaved, FilterUse } from '../../../shared/api/rule.ts';
import type { Client } from '../../client/client.ts';
import { found } from '../../client/found.ts';
import { Refused } from '../../client/transport.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Field } from '../../runtime/output.ts';
import { relative } from '../../text/time.ts';
import { type Action, confirm, type Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';
import { invalidQuery, warn } from '../query-report.ts';

const FILTER = 'its name, its id, or the beginning of its id';

const ABOUT = `
A filter is a named part of a query. $name in a rule of the organization stands
for the query of the filter in parentheses. Write it in single quotes:
  hydrant filter add junk 'url:*\\/tag\\/* OR title:coupon'
  hydrant rule add news 'ferry AND NOT $junk'
A filter with only NOT clauses matches nothing: save what is unwanted instead.
Editing a filter updates the rules that use it at once.
`;

/** Saved filters: pieces of queries under a name. */
export function filterCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(new Command('filter'), "hydrant filter add big 'dr:[50 TO *]'", 'hydrant filter list')
    .alias('filters')
    .description('saved filters: parts of queries that rules use as $name')
    .addHelpText('after', ABOUT);
  for (const declare of [list, show, add, edit, uses, remove]) declare(noun, action);
  return noun;
}

function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant filter list')
    .description('list the saved filters')
    .action(
      action(async ({ out, connect }) => {
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
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant filter show junk')
    .description('show one filter')
    .argument('<filter>', FILTER)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const filter = await listedIfUnknown(client, wanted, () => client.filters.show(wanted));
        const rules = await client.filters.uses(filter.id);
        const fields: readonly Field[] = [
          ['id', filter.id],
          ['name', filter.name],
          ['text', filter.value],
          ['created', out.forPeople ? relative(filter.created_at, out.now) : filter.created_at],
          ['in use by', count(rules.length, 'rule')],
        ];
        out.fields({ ...filter, rules: rules.map((use) => use.rule_id) }, { id: filter.id, fields });
      }),
    );
}

function add(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('add'),
    `hydrant filter add junk 'url:*\\/tag\\/* OR title:coupon'`,
    'hydrant filter add junk - < junk.txt',
  )
    .alias('create')
    .description('save a filter')
    .argument('<name>', 'its name, without the $')
    .argument('<query>', 'its query; - reads it from stdin')
    .action(
      action(async (session, [name, query]) => {
        const { client } = await session.connect();
        const value = await textOf(session, query);
        const saved = await withDiagnostics(value, () => client.filters.add({ name, value }));
        const { data } = saved;
        session.out.one(data, { id: data.id, lines: [`filter $${data.name}`], plain: [data.id] });
        warnOf(session, saved);
        session.out.notice(`saved; write $${data.name} in a rule`, 'hydrant rule add --help');
      }),
    );
}

function edit(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('edit'),
    `hydrant filter edit junk --value 'title:coupon'`,
    'hydrant filter edit junk --name unwanted',
  )
    .description('change a filter, and with it the rules that refer to it')
    .argument('<filter>', FILTER)
    .option('--value <query>', 'the new query; - reads it from stdin')
    .option('--name <name>', 'the new name; refused while a rule refers to the old one')
    .action(
      action(async (session, [wanted], { name, value: text }) => {
        if (name === undefined && text === undefined) {
          throw new UsageError('nothing to change', { hint: 'give --value or --name' });
        }
        const { client } = await session.connect();
        const value = text === undefined ? undefined : await textOf(session, text);
        const change = { ...(value !== undefined && { value }), ...(name !== undefined && { name }) };
        const saved = await withDiagnostics(value, () =>
          listedIfUnknown(client, wanted, () => client.filters.change(wanted, change)),
        );
        const { id } = saved.data;
        const rules = await client.filters.uses(id);
        const follow = rules.length === 0 ? '' : `, and with it ${count(rules.length, 'rule')}`;
        session.out.done(saved.data, { id, notice: `filter $${saved.data.name} changed${follow}` });
        warnOf(session, saved);
      }),
    );
}

function uses(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('uses'), 'hydrant filter uses junk')
    .description('list the rules that refer to a filter')
    .argument('<filter>', FILTER)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        out.list(await listedIfUnknown(client, wanted, () => client.filters.uses(wanted)), {
          id: (use: FilterUse) => use.rule_id,
          columns: [
            { title: 'rule', show: (use) => use.rule_id.slice(0, 8), plain: (use) => use.rule_id },
            { title: 'tag', show: (use) => use.tag ?? '' },
            { title: 'query', show: (use) => use.value },
          ],
          none: `no rule refers to ${wanted}`,
        });
      }),
    );
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('remove'), 'hydrant filter remove junk')
    .description('remove filters that no rule uses')
    .argument('<filter...>', FILTER)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const chosen = new Map<string, Filter>();
        for (const word of wanted) {
          const filter = await listedIfUnknown(client, word, () => client.filters.show(word));
          chosen.set(filter.id, filter);
        }
        const names = [...chosen.values()].map(({ name }) => `$${name}`).join(', ');
        await confirm(session, `Remove ${chosen.size === 1 ? 'the filter' : 'the filters'} ${names}?`);
        for (const { id, name, value } of chosen.values()) {
          await client.filters.remove(id);
          session.out.done({ id, name, removed: true }, { id, notice: `filter $${name} removed; it was: ${value}` });
        }
      }),
    );
}

/** Where there is no such filter, the error lists those that there are. */
async function listedIfUnknown<Result>(client: Client, wanted: string, ask: () => Promise<Result>): Promise<Result> {
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

function warnOf(session: Session, { data, diagnostics = [] }: FilterSaved): void {
  warn(session, diagnostics, data.value);
}

/** A mistake in the text is shown in its place. One in a rule that refers to it is not: its query is not known here. */
async function withDiagnostics<Result>(value: string | undefined, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    const isOfText = error instanceof Refused && error.diagnostics.length > 0 && error.details.field === 'value';
    if (isOfText && value !== undefined) throw invalidQuery(error.diagnostics, value, undefined, error);
    throw error;
  }
}
