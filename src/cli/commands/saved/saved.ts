import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import { exportAll, type ExportFlags } from './saved-export.ts';
import { add, list, note, remove, show } from './saved-verbs.ts';
import { openSession } from '../session.ts';

const MATCH = 'its id, or the beginning of its id';

/**
 * Saved matches. A noun of its own: the first word after `hydrant match` is a query, and a verb there would take a
 * word from all queries.
 */
export function savedCommand(context: Context): Command {
  const saved = new Command('saved').description('matches that are kept: noted, searched, exported');
  withExamples(saved, 'hydrant saved add news 0-42 --note "for Monday"', 'hydrant saved list ferry');
  saved.addCommand(adding(context));
  saved.addCommand(
    withExamples(new Command('list'), 'hydrant saved list', 'hydrant saved list ferry harbour')
      .aliases(['ls', 'search'])
      .description('list the saved matches, the newest first')
      .argument('[word...]', 'only those with all these words in their address, title, note or text')
      .action((words: string[], _flags, command: Command) => list(openSession(context, command), words)),
  );
  saved.addCommand(
    withExamples(new Command('show'), 'hydrant saved show 7d0e0001')
      .description('show one saved match, with its text')
      .argument('<match>', MATCH)
      .action((wanted: string, _flags, command: Command) => show(openSession(context, command), wanted)),
  );
  saved.addCommand(
    withExamples(new Command('note'), 'hydrant saved note 7d0e0001 "ask the harbour master"')
      .description('write a note on a saved match; an empty one removes it')
      .argument('<match>', MATCH)
      .argument('<note>', 'the note; - reads it from stdin')
      .action((wanted: string, text: string, _flags, command: Command) =>
        note(openSession(context, command), wanted, text),
      ),
  );
  saved.addCommand(exporting(context));
  saved.addCommand(
    withExamples(new Command('remove'), 'hydrant saved remove 7d0e0001')
      .alias('rm')
      .description('remove saved matches')
      .argument('<match...>', MATCH)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(openSession(context, command), wanted)),
  );
  return saved;
}

function adding(context: Context): Command {
  return withExamples(
    new Command('add'),
    'hydrant saved add news 0-42',
    'hydrant saved add news 0-42 --note "for Monday"',
  )
    .description('keep a match: the event with that id, as `hydrant tail` shows it')
    .argument('<tap>', 'name or id of its tap')
    .argument('<event>', 'the id of the event, as 0-42')
    .option('--note <note>', 'why it is kept')
    .action((tap: string, event: string, flags: { note?: string }, command: Command) =>
      add(openSession(context, command), { tap, event, ...flags }),
    );
}

function exporting(context: Context): Command {
  return withExamples(
    new Command('export'),
    'hydrant saved export > saved.jsonl',
    'hydrant saved export --format csv > saved.csv',
  )
    .description('write the saved matches to stdout, whole')
    .argument('[word...]', 'only those with all these words')
    .addOption(
      new Option('--format <format>', 'a JSON object a line, or a table').choices(['jsonl', 'csv']).default('jsonl'),
    )
    .action((words: string[], flags: ExportFlags, command: Command) =>
      exportAll(openSession(context, command), words, flags),
    );
}
