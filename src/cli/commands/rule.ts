import { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { withExamples } from './help.ts';
import type { RuleFlags } from './query-report.ts';
import { add, edit, list, remove, show } from './rule-verbs.ts';
import { openSession } from './session.ts';

const RULE = 'its id, its tag, or the beginning of its id';

/** Rules: the queries of a tap. */
export function ruleCommand(context: Context): Command {
  const rule = new Command('rule').alias('rules').description('rules: the queries of a tap');
  withExamples(rule, "hydrant rule add news 'title:release OR kernel' --tag linux", 'hydrant rule list');
  for (const verb of [listing(context), adding(context), editing(context)]) rule.addCommand(verb);
  rule.addCommand(
    withExamples(new Command('show'), 'hydrant rule show linux')
      .description('show one rule')
      .argument('<rule>', RULE)
      .action((wanted: string, _flags, command: Command) => show(openSession(context, command), wanted)),
  );
  rule.addCommand(
    withExamples(
      new Command('remove'),
      'hydrant rule remove linux',
      'hydrant rule list news -q | xargs -n1 hydrant rule remove',
    )
      .alias('rm')
      .description('remove rules')
      .argument('<rule...>', RULE)
      .action((wanted: string[], _flags, command: Command) => remove(openSession(context, command), wanted)),
  );
  return rule;
}

function listing(context: Context): Command {
  return withExamples(new Command('list'), 'hydrant rule list', 'hydrant rule list news')
    .alias('ls')
    .description('list the rules of a tap, or of all')
    .argument('[tap]', 'name or id of the tap')
    .action((tap: string | undefined, _flags, command: Command) => list(openSession(context, command), tap));
}

function adding(context: Context): Command {
  const command = withExamples(
    new Command('add'),
    `hydrant rule add news 'title:"annual report" AND language:en' --tag reports`,
    "hydrant rule add 'kernel AND NOT patch'     # when there is one tap",
    'hydrant rule add news - < query.txt',
  )
    .alias('create')
    .description('add a rule to a tap; a query that begins with - goes after --')
    .usage('[options] [TAP] QUERY')
    .argument('<tap-or-query>', 'name or id of the tap; may be left out when there is one tap')
    .argument('[query]', 'the query, or - to read it from stdin')
    .action((first: string, second: string | undefined, flags: RuleFlags, command: Command) =>
      add(openSession(context, command), second === undefined ? {} : { tap: first }, second ?? first, flags),
    );
  return withRuleOptions(command);
}

function editing(context: Context): Command {
  const command = withExamples(
    new Command('edit'),
    `hydrant rule edit linux --value 'title:release AND kernel'`,
    'hydrant rule edit linux --no-quality',
  )
    .description('change a rule; what is not named stays as it is')
    .argument('<rule>', RULE)
    .option('--value <query>', 'the new query')
    .action((wanted: string, flags: RuleFlags, command: Command) => edit(openSession(context, command), wanted, flags));
  return withRuleOptions(command);
}

/** Both forms of each switch, so that an edit can tell "off" from "not named". */
function withRuleOptions(command: Command): Command {
  return command
    .addOption(new Option('--tag <tag>', 'a label of your own; an empty one removes it'))
    .addOption(
      new Option('--quality', 'only fresh, single pages: published in the last 7 days, no index pages (the default)'),
    )
    .addOption(new Option('--no-quality', 'any page'))
    .addOption(new Option('--nsfw', 'adult pages too'))
    .addOption(new Option('--no-nsfw', 'no adult pages (the default)'));
}
