import { Command } from 'commander';
import type { Context } from '../context.ts';
import { withExamples } from './help.ts';
import type { OnStopped } from './serve.ts';
import { openSession, type Session } from './session.ts';
import { watchHistory } from './watch-history.ts';
import { list, type ListFlags, show } from './watch-list.ts';
import { clearingOptions, everyOption, watchingOptions } from './watch-options.ts';
import { edit, type EditFlags, remove, setStatus } from './watch-verbs.ts';

export const WATCH = 'its URL, its id, or the beginning of its id';

/** Watched URLs: checked at a steady pace, each change kept with its diff. */
export function watchCommand(context: Context, onStopped: OnStopped): Command {
  const watch = new Command('watch')
    .alias('watches')
    .description('watched URLs: checked at a steady pace, each change kept with its diff');
  withExamples(
    watch,
    'hydrant watch add https://example.org/pricing --every 6h',
    'hydrant watch list --failing',
    'hydrant watch diff https://example.org/pricing',
  );
  for (const command of [...keeping(context), ...changing(context), ...watchHistory(context, onStopped)]) {
    watch.addCommand(command);
  }
  return watch;
}

function keeping(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  return [
    withExamples(new Command('list'), 'hydrant watch list', 'hydrant watch list --failing', 'hydrant watch list -q')
      .alias('ls')
      .description('list the watches, those that fail first')
      .option('--failing', 'only those whose last check failed')
      .option('--changed', 'only those with changes that are not seen yet')
      .action((flags: ListFlags, command: Command) => list(session(command), flags)),
    withExamples(new Command('show'), 'hydrant watch show https://example.org/pricing')
      .description('show one watch: its options, its last and next check, its problem')
      .argument('<watch>', WATCH)
      .action((wanted: string, _flags, command: Command) => show(session(command), wanted)),
  ];
}

function changing(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  const editing = withExamples(
    new Command('edit'),
    'hydrant watch edit https://example.org/pricing --every 1h',
    "hydrant watch edit 3f2a --ignore '.ad' --ignore '/^Updated/' --no-trigger",
  )
    .description('change how often watches are checked, and what counts of their pages')
    .argument('<watch...>', WATCH)
    .addOption(everyOption());
  for (const option of [...watchingOptions(), ...clearingOptions()]) editing.addOption(option);
  return [
    editing
      .addHelpText('after', EDITING)
      .action((wanted: string[], flags: EditFlags, command: Command) => edit(session(command), wanted, flags)),
    withExamples(new Command('pause'), 'hydrant watch pause https://example.org/pricing')
      .description('check no more until they are resumed')
      .argument('<watch...>', WATCH)
      .action((wanted: string[], _flags, command: Command) => setStatus(session(command), wanted, 'paused')),
    withExamples(new Command('resume'), 'hydrant watch resume https://example.org/pricing')
      .description('check paused watches again')
      .argument('<watch...>', WATCH)
      .action((wanted: string[], _flags, command: Command) => setStatus(session(command), wanted, 'active')),
    withExamples(new Command('remove'), 'hydrant watch remove https://example.org/pricing')
      .alias('rm')
      .description('stop watching, and forget the changes')
      .argument('<watch...>', WATCH)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(session(command), wanted)),
  ];
}

const EDITING = `
What is given takes the place of what was: one --ignore replaces all of them.
The next check reads the old page by the new options, too: changing them is no
change of the page.
`;
