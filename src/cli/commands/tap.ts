import { Command } from 'commander';
import type { Context } from '../context.ts';
import { withExamples } from './help.ts';
import { openSession } from './session.ts';
import { create, list, pause, rename, resume, revoke, show, token } from './tap-verbs.ts';

const TAP = 'its name, its id, or the beginning of its id';

/** Taps: each owns rules and is streamed from. */
export function tapCommand(context: Context): Command {
  const tap = new Command('tap').alias('taps').description('taps: each has its rules and its stream');
  withExamples(tap, 'hydrant tap create news', 'hydrant tap list');
  tap.addCommand(
    withExamples(new Command('list'), 'hydrant tap list', "hydrant tap list --json | jq -r '.[].name'")
      .alias('ls')
      .description('list the taps')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  tap.addCommand(
    withExamples(new Command('create'), 'hydrant tap create news')
      .alias('add')
      .description('make a tap')
      .argument('<name>', 'what to call it')
      .action((name: string, _flags, command: Command) => create(openSession(context, command), name)),
  );
  for (const verb of [showing(context), tokens(context), pausing(context), resuming(context)]) tap.addCommand(verb);
  tap.addCommand(
    withExamples(new Command('rename'), 'hydrant tap rename news headlines')
      .description('give a tap another name')
      .argument('<tap>', TAP)
      .argument('<name>', 'the new name')
      .action((wanted: string, name: string, _flags, command: Command) =>
        rename(openSession(context, command), wanted, name),
      ),
  );
  tap.addCommand(
    withExamples(new Command('revoke'), 'hydrant tap revoke news')
      .aliases(['rm', 'remove'])
      .description('delete a tap with its rules; its token is refused from then on')
      .argument('<tap>', TAP)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string, _flags, command: Command) => revoke(openSession(context, command), wanted)),
  );
  return tap;
}

function showing(context: Context): Command {
  return withExamples(new Command('show'), 'hydrant tap show news')
    .description('show one tap')
    .argument('[tap]', `${TAP}; may be left out when there is one tap`)
    .action((wanted: string | undefined, _flags, command: Command) => show(openSession(context, command), wanted));
}

function tokens(context: Context): Command {
  return withExamples(
    new Command('token'),
    'hydrant tap token news',
    'export HYDRANT_TAP_TOKEN=$(hydrant tap token news)',
  )
    .description('print the token of a tap, alone')
    .argument('[tap]', `${TAP}; may be left out when there is one tap`)
    .action((wanted: string | undefined, _flags, command: Command) => token(openSession(context, command), wanted));
}

function pausing(context: Context): Command {
  return withExamples(new Command('pause'), 'hydrant tap pause news')
    .description('stop matching for a tap; its rules and token are kept')
    .argument('<tap>', TAP)
    .action((wanted: string, _flags, command: Command) => pause(openSession(context, command), wanted));
}

function resuming(context: Context): Command {
  return withExamples(new Command('resume'), 'hydrant tap resume news')
    .description('match for a paused tap again')
    .argument('<tap>', TAP)
    .action((wanted: string, _flags, command: Command) => resume(openSession(context, command), wanted));
}
