import { Command, type CommandUnknownOpts, Option, type OptionValues } from '@commander-js/extra-typings';
import type { Rule, RuleChange } from '../../../shared/api/rule.ts';
import { openTap } from '../../client/found.ts';
import { TRIAL_SHOWN } from '../../../shared/limits.ts';
import { UsageError } from '../../runtime/failure.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import { confirm, type Action, type Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';
import { type QueryCommand, type RuleFlags, warn, withQuery } from '../query-report.ts';
import { countUpTo, upToADay } from '../option-values.ts';
import { findRule, RULE, rulesOf } from './placed-rules.ts';
import { list, show } from './rule-list.ts';
import { tryAdded, tryChanged } from './rule-try.ts';

/**
 * Rules: the queries of a tap. They are reached with the token of their tap; a rule is found by its own id or tag over
 * all taps, so that nobody has to remember which tap it is on.
 */
export function ruleCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('rule'),
    "hydrant rule add news 'title:release OR kernel' --tag linux",
    'hydrant rule list',
  )
    .alias('rules')
    .description('rules: the queries of a tap');
  for (const declare of [list, add, edit, pausing, tryOut, test, show, remove]) declare(noun, action);
  return noun;
}

function add(noun: CommandUnknownOpts, action: Action): void {
  withRuleOptions(
    withExamples(
      noun.command('add'),
      `hydrant rule add news 'title:"annual report" AND language:en' --tag reports`,
      "hydrant rule add 'kernel AND NOT patch'     # when there is one tap",
      'hydrant rule add news - < query.txt',
    )
      .alias('create')
      .description('add a rule to a tap; a query that begins with - goes after --')
      .usage('[options] [TAP] QUERY')
      .argument('<tap-or-query>', 'name or id of the tap; may be left out when there is one tap')
      .argument('[query]', 'the query, or - to read it from stdin'),
  )
    .addOption(new Option('--no-try', 'do not show, on a terminal, what it would have matched in the last 24 hours'))
    .action(
      action((session, [first, second], flags) =>
        second === undefined ? addRule(session, undefined, first, flags) : addRule(session, first, second, flags),
      ),
    );
}

async function addRule(
  session: Session,
  wanted: string | undefined,
  query: string,
  flags: RuleFlags & { readonly try: boolean },
): Promise<void> {
  const { out } = session;
  const value = query === '-' ? (await session.context.readInput('the query')).trim() : query;
  const { connection, client } = await session.connect();
  const { token, tap } = await openTap(connection, client, wanted);
  if (tap && wanted === undefined && tap.name === value) {
    throw new UsageError(`\`${value}\` is the tap; the query is missing`, {
      try: `hydrant rule add ${quoted(value)} QUERY`,
    });
  }
  const typed: QueryCommand = { words: ['rule', 'add', ...(wanted === undefined ? [] : [wanted])], flags };
  const { rule, warnings } = await withQuery(session, value, typed, () =>
    client.createRule(token, { value, ...changesOf(flags) }),
  );
  const name = rule.tag === undefined ? rule.id : `${rule.tag} · ${rule.id}`;
  out.one(rule, { id: rule.id, lines: [`rule ${printable(name)}`], plain: [rule.id] });
  warn(session, warnings, value);
  const where = tap ? ` to ${tap.name}: ${count(tap.rules_count + 1, 'rule')}` : '';
  out.notice(`added${where}`, `hydrant tail${tap ? ` ${quoted(tap.name)}` : ''} --since 1h`);
  noteQuality(session, rule);
  if (flags.try) {
    await tryAdded(session, client, { value, quality: rule.quality, nsfw: rule.nsfw, ...(tap && { tap: tap.id }) });
  }
}

/** The default that surprises most: a page without a date never passes, so a first rule seems to match nothing. */
function noteQuality(session: Session, rule: Rule): void {
  if (!rule.quality || session.context.io.stderr.isTTY !== true) return;
  session.out.notice('quality is on: only pages dated within the last 7 days, no index pages');
  session.out.notice(`  to take every page: hydrant rule edit ${rule.id.slice(0, 8)} --no-quality`);
}

function tryOut(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('try'),
    "hydrant rule try 'title:release OR kernel'",
    "hydrant rule try --since 6h --quality off 'title:release' --json | jq .withheld",
  )
    .description(
      'show what a rule would have matched in the last 24 hours; saves nothing; exit code 1 if nothing matches',
    )
    .argument('<query>', 'the query, or - to read it from stdin')
    .option('--since <time>', 'how far to look back, up to 24h', upToADay)
    .option('--limit <count>', 'most matches to show, newest first', countUpTo(TRIAL_SHOWN))
    .option('--tap <tap>', 'name or id of the tap of the rule')
    .addOption(new Option('--quality <mode>', 'off: any page, like --no-quality').choices(['on', 'off'] as const))
    .addOption(new Option('--no-quality', 'any page').hideHelp())
    .addOption(new Option('--nsfw', 'include adult pages'))
    .action(
      action(async (session, [query], { quality, ...rest }) => {
        const { tryRule } = await import('./rule-try.ts');
        return tryRule(session, query, { ...rest, quality: quality !== 'off' && quality !== false });
      }),
    );
}

function test(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('test'), 'hydrant rule test rules.test.yaml', 'hydrant rule test - < cases.json')
    .description('check queries against the pages and changes of a test file; exit code 1 if a result differs')
    .argument('<file>', 'YAML or JSON: a list of query, doc or page, and match; - reads stdin')
    .action(
      action(async (session, [file]) => {
        const { testRules } = await import('./rule-test.ts');
        return testRules(session, file);
      }),
    );
}

function edit(noun: CommandUnknownOpts, action: Action): void {
  withRuleOptions(
    withExamples(
      noun.command('edit'),
      `hydrant rule edit linux --value 'title:release AND kernel'`,
      'hydrant rule edit linux --no-quality',
      'hydrant rule edit linux                     # in $EDITOR',
    )
      .description('change a rule; what is not named stays unchanged. Without a flag, opens $EDITOR')
      .argument('<rule>', RULE)
      .option('--value <query>', 'the new query'),
  )
    .addOption(new Option('--no-try', 'do not count what it would have matched in the last 24 hours'))
    .action(action((session, [wanted], flags) => editRule(session, wanted, flags)));
}

async function editRule(session: Session, wanted: string, flags: RuleFlags & { readonly try: boolean }): Promise<void> {
  const { value } = flags;
  const change: RuleChange = { ...(value !== undefined && { value }), ...changesOf(flags) };
  if (Object.keys(change).length === 0) {
    const { stdin, stdout } = session.context.io;
    if (stdin.isTTY === true && stdout.isTTY === true) return editInEditor(session, wanted);
    throw new UsageError('nothing to change', {
      hint: 'give --value, --tag, --quality, --no-quality, --nsfw or --no-nsfw; on a terminal, none opens $EDITOR',
    });
  }
  const { connection, client } = await session.connect();
  const { rule, token } = findRule(await rulesOf(connection, client, undefined), wanted);
  const typed: QueryCommand = { words: ['rule', 'edit', wanted, '--value'], flags };
  const changed = await withQuery(session, value, typed, () => client.changeRule(token, rule.id, change));
  session.out.done(changed.rule, { id: rule.id, notice: `rule ${rule.tag ?? rule.id} changed` });
  warn(session, changed.warnings, changed.rule.value);
  if (flags.try && matchesOtherwise(rule, changed.rule)) await tryChanged(session, client, rule, changed.rule);
}

/** Whether another page may match than before. */
function matchesOtherwise(before: Rule, after: Rule): boolean {
  return before.value !== after.value || before.quality !== after.quality || before.nsfw !== after.nsfw;
}

/** The editor needs YAML, which takes time to load. */
async function editInEditor(session: Session, wanted: string): Promise<void> {
  const { connection, client } = await session.connect();
  const { rule, tap, token } = findRule(await rulesOf(connection, client, undefined), wanted);
  const { editRuleText } = await import('./rule-editor.ts');
  const changed = await editRuleText(session, rule, {
    tap: tap?.name,
    save: (change) => client.changeRule(token, rule.id, change),
  });
  if (!changed) return session.out.notice('nothing was changed');
  session.out.done(changed.rule, { id: rule.id, notice: `rule ${changed.rule.tag ?? rule.id} changed` });
  warn(session, changed.warnings, changed.rule.value);
}

/** What was typed, as the API wants it; an empty tag removes the tag. */
function changesOf({ tag, quality, nsfw }: RuleFlags): Omit<RuleChange, 'value'> {
  return {
    ...(tag !== undefined && { tag: tag === '' ? null : tag }),
    ...(quality !== undefined && { quality }),
    ...(nsfw !== undefined && { nsfw }),
  };
}

function pausing(noun: CommandUnknownOpts, action: Action): void {
  for (const [verb, about] of [
    ['pause', 'stop matching rules, and keep them'],
    ['resume', 'match paused rules again'],
  ] as const) {
    withExamples(noun.command(verb), `hydrant rule ${verb} linux`)
      .description(about)
      .argument('<rule...>', RULE)
      .action(action((session, [wanted]) => setPaused(session, wanted, verb === 'pause')));
  }
}

/** All are looked up before the first is changed: a wrong name changes nothing. */
async function setPaused(session: Session, wanted: readonly string[], paused: boolean): Promise<void> {
  const { connection, client } = await session.connect();
  if (connection.credential.kind !== 'operator') {
    throw new UsageError("a rule is paused on the daemon's own machine only, over its Unix socket", {
      hint: 'from here, pause its tap: hydrant tap pause TAP',
    });
  }
  const placed = await rulesOf(connection, client, undefined);
  for (const id of new Set(wanted.map((word) => findRule(placed, word).rule.id))) {
    const rule = await client.reports.pause(id, paused);
    const name = rule.tag ?? id.slice(0, 8);
    const notice = `rule ${name} is ${paused ? 'paused: it is kept, and matches nothing' : 'matched again'}`;
    session.out.done(rule, { id, notice, ...(paused && { next: `hydrant rule resume ${quoted(name)}` }) });
  }
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('remove'),
    'hydrant rule remove linux',
    'hydrant rule list news -q | xargs hydrant rule remove --yes',
  )
    .description('remove rules')
    .argument('<rule...>', RULE)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { connection, client } = await session.connect();
        const placed = await rulesOf(connection, client, undefined);
        const chosen = new Map(wanted.map((word) => findRule(placed, word)).map((one) => [one.rule.id, one]));
        const names = [...chosen.values()].map(({ rule }) => rule.tag ?? rule.id.slice(0, 8)).join(', ');
        await confirm(
          session,
          `Remove ${chosen.size === 1 ? 'the rule' : 'the rules'} ${names}? Their matches stay in the log.`,
        );
        for (const { rule, token } of chosen.values()) {
          await client.removeRule(token, rule.id);
          session.out.done(
            { id: rule.id, removed: true },
            { id: rule.id, notice: `rule ${rule.tag ?? rule.id} removed; it was: ${rule.value}` },
          );
        }
      }),
    );
}

/** Both forms of each switch, so that an edit can tell "off" from "not named". */
function withRuleOptions<Arguments extends unknown[], Flags extends OptionValues>(command: Command<Arguments, Flags>) {
  return command
    .addOption(new Option('--tag <tag>', 'a label of your choice; an empty one removes it'))
    .addOption(
      new Option('--quality', 'only fresh, single pages: published in the last 7 days, no index pages (the default)'),
    )
    .addOption(new Option('--no-quality', 'any page'))
    .addOption(new Option('--nsfw', 'include adult pages'))
    .addOption(new Option('--no-nsfw', 'leave adult pages out (the default)'));
}
