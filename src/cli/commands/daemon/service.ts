import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import type { OnStopped } from '../on-stopped.ts';
import type { ServiceFlags } from './service-verbs.ts';
import { openSession } from '../session.ts';

/** The daemon under systemd or launchd: started with the machine or the session, and again after a crash. */
export function serviceCommand(context: Context, onStopped: OnStopped): Command {
  const noun = new Command('service').description('the daemon as a service of this machine, of systemd or launchd');
  withExamples(noun, 'hydrant service install', 'hydrant service install --system --dry-run');
  noun.addCommand(
    scoped(
      withExamples(
        new Command('install'),
        'hydrant service install',
        'hydrant service install --dry-run',
        'sudo hydrant service install --system --data-dir /srv/hydrant --as crawler',
      ),
    )
      .description('write the unit, and start it')
      .option('--as <user>', 'the user that a service of the system runs as (default: hydrant)')
      .option('--dry-run', 'print the unit, and do nothing')
      .option('--no-start', 'write the unit, and start nothing')
      .action(async (flags: ServiceFlags, command: Command) => {
        const { install } = await import('./service-verbs.ts');
        await install(openSession(context, command), flags);
      }),
  );
  noun.addCommand(
    scoped(withExamples(new Command('uninstall'), 'hydrant service uninstall'))
      .aliases(['remove', 'rm'])
      .description('stop the service and remove its unit; the data stays')
      .action(async (flags: ServiceFlags, command: Command) => {
        const { uninstall } = await import('./service-verbs.ts');
        await uninstall(openSession(context, command), flags);
      }),
  );
  noun.addCommand(
    scoped(withExamples(new Command('status'), 'hydrant service status'))
      .description('whether it is installed and runs; exit code 1 when it does not')
      .action(async (flags: ServiceFlags, command: Command) => {
        const { status } = await import('./service-verbs.ts');
        onStopped(await status(openSession(context, command), flags));
      }),
  );
  return noun;
}

function scoped(command: Command): Command {
  return command
    .addOption(new Option('--user', 'a service of this user (the default)').conflicts('system'))
    .addOption(new Option('--system', 'a service of the machine; needs root').conflicts('user'));
}
