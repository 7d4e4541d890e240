import { Command, Option } from 'commander';
import { TRIAL_SHOWN } from '../../../shared/limits.ts';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import type { RuleFlags } from '../query-report.ts';
import type { TryFlags } from './rule-try.ts';
import type { OnStopped } from '../on-stopped.ts';
import { add, edit, list, remove, show } from './rule-verbs.ts';
import { openSession } from '../session.ts';
import { countUpTo, upToADay } from '../since-option.ts';

const RULE = 'its id, its tag, or the beginning of its id';

/** Rules: the queries of a tap. */
export function ruleCommand(context: Context, onStopped: OnStopped): Command {
  const rule = new Command('rule').alias('rules').description('rules: the queries of a tap');
  withExamples(rule, "hydrant rule add news 'title:release OR kernel' --tag linux", 'hydrant rule list');
  for (const verb of [listing(context), adding(context), editing(context)]) rule.addCommand(verb);
  rule.addCommand(trying(context, onStopped)).addCommand(testing(context, onStopped));
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
      'hydrant rule list news -q | xargs hydrant rule remove --yes',
    )
      .alias('rm')
      .description('remove rules')
      .argument('<rule...>', RULE)
      .option('-y, --yes', 'do not ask')
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
  return withRuleOptions(command).addOption(
    new Option('--no-try', 'do not say, on a terminal, what it would have matched in the last 24 hours'),
  );
}

function trying(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('try'),
    "hydrant rule try 'title:release OR kernel'",
    "hydrant rule try --since 6h --quality off 'title:release' --json | jq .withheld",
  )
    .description('what a rule would have matched in the last 24 hours; nothing is saved; exit 1 where nothing matches')
    .argument('<query>', 'the query, or - to read it from stdin')
    .option('--since <time>', 'how far to look back, up to 24h', upToADay)
    .option('--limit <count>', 'matches that are shown, the newest', countUpTo(TRIAL_SHOWN))
    .option('--tap <tap>', 'the tap it is meant for: name or id')
    .addOption(new Option('--quality <mode>', 'off: any page, as --no-quality').choices(['on', 'off']))
    .addOption(new Option('--no-quality', 'any page').hideHelp())
    .addOption(new Option('--nsfw', 'adult pages too'))
    .action(async (query: string, flags: TryWords, command: Command) => {
      const { tryOut } = await import('./rule-try.ts');
      const { quality, ...rest } = flags;
      const wanted = quality === undefined || quality === 'on' || quality === true;
      onStopped(await tryOut(openSession(context, command), query, { ...rest, quality: wanted }));
    });
}

type TryWords = Omit<TryFlags, 'quality'> & { readonly quality?: 'on' | 'off' | boolean };

function testing(context: Context, onStopped: OnStopped): Command {
  return withExamples(new Command('test'), 'hydrant rule test rules.test.yaml', 'hydrant rule test - < cases.json')
    .description('check queries against pages and changes that a file tells of; exit 1 where one differs')
    .argument('<file>', 'YAML or JSON: a list of query, doc or page, and match; - reads stdin')
    .action(async (file: string, _flags, command: Command) => {
      const { testRules } = await import('./rule-test.ts');
      onStopped(await testRules(openSession(context, command), file));
    });
}

function editing(context: Context): Command {
  const command = withExamples(
    new Command('edit'),
    `hydrant rule edit linux --value 'title:release AND kernel'`,
    'hydrant rule edit linux --no-quality',
    'hydrant rule edit linux                     # in $EDITOR',
  )
    .description('change a rule; what is not named stays as it is. Without a flag, in $EDITOR')
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
