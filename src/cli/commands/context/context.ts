import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { addContext, listContexts, removeContext, renameContext, showContext, useContext } from './context-verbs.ts';
import { withExamples } from '../help.ts';
import { openSession } from '../session.ts';

/** Daemons by name: the one on this machine is there without any, those elsewhere are kept with their keys. */
export function contextCommand(context: Context): Command {
  const noun = new Command('context').alias('contexts').description('daemons elsewhere, by name, with their keys');
  withExamples(noun, 'hydrant context add home https://hydrant.example.org', 'hydrant context use home');
  noun.addCommand(
    withExamples(new Command('list'), 'hydrant context list')
      .alias('ls')
      .description('list the contexts; * is the one in use')
      .action((_flags, command: Command) => listContexts(openSession(context, command))),
  );
  noun.addCommand(
    withExamples(
      new Command('add'),
      'hydrant context add home https://hydrant.example.org',
      'hydrant context add home https://hydrant.example.org --key-file - --use < key.txt',
    )
      .alias('create')
      .description('keep a daemon and its key under a name; asks for the key, which is not shown')
      .argument('<name>', 'what to call it')
      .argument('<url>', 'the address of the daemon')
      .option('--use', 'use it from now on')
      .option('--no-key', 'keep no key: it comes from HYDRANT_KEY or --key-file each time')
      .action((name: string, url: string, flags: { use?: boolean; key: boolean }, command: Command) =>
        addContext(openSession(context, command), { name, url, use: flags.use === true, withKey: flags.key }),
      ),
  );
  noun.addCommand(
    withExamples(new Command('use'), 'hydrant context use home', 'hydrant context use local')
      .description('the daemon that commands mean from now on; local is the one on this machine')
      .argument('<name>', 'the context')
      .action((name: string, _flags, command: Command) => useContext(openSession(context, command), name)),
  );
  noun.addCommand(
    withExamples(new Command('show'), 'hydrant context show', 'hydrant context show home')
      .description('which daemon commands mean here, and why; never the key')
      .argument('[name]', 'the context; without it, the one that is meant now')
      .action((name: string | undefined, _flags, command: Command) => showContext(openSession(context, command), name)),
  );
  noun.addCommand(
    withExamples(new Command('rename'), 'hydrant context rename home attic')
      .description('give a context another name')
      .argument('<name>', 'the context')
      .argument('<new-name>', 'what to call it')
      .action((name: string, to: string, _flags, command: Command) =>
        renameContext(openSession(context, command), name, to),
      ),
  );
  noun.addCommand(
    withExamples(new Command('remove'), 'hydrant context remove home')
      .alias('rm')
      .description('forget a context and its key; the key itself stays valid')
      .argument('<name>', 'the context')
      .option('-y, --yes', 'do not ask')
      .action((name: string, _flags, command: Command) => removeContext(openSession(context, command), name)),
  );
  return noun;
}
