import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

/** The daemon under systemd or launchd: started with the machine or the session, and again after a crash. */
export function serviceCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('service'),
    'hydrant service install',
    'hydrant service install --system --dry-run',
  ).description('run the daemon as a service of systemd or launchd');
  for (const declare of [install, uninstall, status]) declare(noun, action);
  return noun;
}

function install(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('install'),
    'hydrant service install',
    'hydrant service install --dry-run',
    'sudo hydrant service install --system --data-dir /srv/hydrant --as crawler',
  )
    .addOption(userOption())
    .addOption(systemOption())
    .description('write the unit and start it')
    .option('--as <user>', 'the user that a service of the system runs as (default: hydrant)')
    .option('--dry-run', 'print the unit and do nothing else')
    .option('--no-start', 'write the unit without starting it')
    .action(
      action(async (session, _words, flags) => {
        const { installService } = await import('./service-run.ts');
        await installService(session, flags);
      }),
    );
}

function uninstall(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('uninstall'), 'hydrant service uninstall')
    .addOption(userOption())
    .addOption(systemOption())
    .aliases(['remove', 'rm'])
    .description('stop the service and remove its unit; the data stays')
    .action(
      action(async (session, _words, flags) => {
        const { uninstallService } = await import('./service-run.ts');
        await uninstallService(session, flags);
      }),
    );
}

function status(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('status'), 'hydrant service status')
    .addOption(userOption())
    .addOption(systemOption())
    .description('show whether the service is installed and running; exit code 1 if not')
    .action(
      action(async (session, _words, flags) => {
        const { serviceStatus } = await import('./service-run.ts');
        return serviceStatus(session, flags);
      }),
    );
}

function userOption() {
  return new Option('--user', 'a service of this user (the default)').conflicts('system');
}

function systemOption() {
  return new Option('--system', 'a service of the system; needs root').conflicts('user');
}
