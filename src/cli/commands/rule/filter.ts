import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { add, edit, list, remove, show, uses } from './filter-verbs.ts';
import { withExamples } from '../help.ts';
import { openSession } from '../session.ts';

const FILTER = 'its name, its id, or the beginning of its id';

const ABOUT = `
A filter is a piece of a query under a name. $name in a rule of the organization
stands for its text in parentheses, so write the query in single quotes:
  hydrant filter add junk 'url:*\\/tag\\/* OR title:coupon'
  hydrant rule add news 'ferry AND NOT $junk'
A text of nothing but NOT matches nothing in parentheses: save what is unwanted.
A filter that changes changes the rules that refer to it, at once.
`;

/** Saved filters: pieces of queries under a name. */
export function filterCommand(context: Context): Command {
  const filter = new Command('filter')
    .alias('filters')
    .description('saved filters: pieces of queries, as $name in rules');
  withExamples(filter, "hydrant filter add big 'dr:[50 TO *]'", 'hydrant filter list').addHelpText('after', ABOUT);
  filter.addCommand(
    withExamples(new Command('list'), 'hydrant filter list')
      .alias('ls')
      .description('list the saved filters')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  filter.addCommand(
    withExamples(new Command('show'), 'hydrant filter show junk')
      .description('show one filter')
      .argument('<filter>', FILTER)
      .action((wanted: string, _flags, command: Command) => show(openSession(context, command), wanted)),
  );
  for (const verb of [adding(context), editing(context)]) filter.addCommand(verb);
  filter.addCommand(
    withExamples(new Command('uses'), 'hydrant filter uses junk')
      .description('list the rules that refer to a filter')
      .argument('<filter>', FILTER)
      .action((wanted: string, _flags, command: Command) => uses(openSession(context, command), wanted)),
  );
  filter.addCommand(
    withExamples(new Command('remove'), 'hydrant filter remove junk')
      .alias('rm')
      .description('remove filters that no rule refers to')
      .argument('<filter...>', FILTER)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(openSession(context, command), wanted)),
  );
  return filter;
}

function adding(context: Context): Command {
  return withExamples(
    new Command('add'),
    `hydrant filter add junk 'url:*\\/tag\\/* OR title:coupon'`,
    'hydrant filter add junk - < junk.txt',
  )
    .alias('create')
    .description('save a filter')
    .argument('<name>', 'what it is called in rules, without the $')
    .argument('<query>', 'its text; - reads it from stdin')
    .action((name: string, query: string, _flags, command: Command) => add(openSession(context, command), name, query));
}

function editing(context: Context): Command {
  return withExamples(
    new Command('edit'),
    `hydrant filter edit junk --value 'title:coupon'`,
    'hydrant filter edit junk --name unwanted',
  )
    .description('change a filter, and with it the rules that refer to it')
    .argument('<filter>', FILTER)
    .option('--value <query>', 'the new text; - reads it from stdin')
    .option('--name <name>', 'the new name; no rule may refer to the old one')
    .action((wanted: string, flags: { value?: string; name?: string }, command: Command) =>
      edit(openSession(context, command), wanted, flags),
    );
}
