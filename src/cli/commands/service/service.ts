import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAEMON_NOTICE, isAlive } from '../../../shared/daemon-notice.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { localDirectory } from '../../runtime/connection.ts';
import type { Environment } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, NotFound, systemReason, UsageError } from '../../runtime/failure.ts';
import { type Manager, managerFor, MARK, type ServicePlan, STATE_DIRECTORY } from './units.ts';

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
    .action(action(async (session, _words, flags) => installService(session, flags)));
}

function uninstall(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('uninstall'), 'hydrant service uninstall')
    .addOption(userOption())
    .addOption(systemOption())
    .aliases(['remove', 'rm'])
    .description('stop the service and remove its unit; the data stays')
    .action(action(async (session, _words, flags) => uninstallService(session, flags)));
}

function status(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('status'), 'hydrant service status')
    .addOption(userOption())
    .addOption(systemOption())
    .description('show whether the service is installed and running; exit code 1 if not')
    .action(action(async (session, _words, flags) => serviceStatus(session, flags)));
}

function userOption() {
  return new Option('--user', 'a service of this user (the default)').conflicts('system');
}

function systemOption() {
  return new Option('--system', 'a service of the system; needs root').conflicts('user');
}

interface ScopeFlags {
  readonly system?: true | undefined;
}

interface InstallFlags extends ScopeFlags {
  readonly dryRun?: true | undefined;
  readonly start: boolean;
  readonly as?: string | undefined;
}

const scopeOf = ({ system }: ScopeFlags): ServicePlan['scope'] => (system === true ? 'system' : 'user');

function managerOf({ context }: Session, flags: ScopeFlags): Manager {
  const { environment } = context;
  const home = environment['HOME'] ?? '';
  if (home === '' && flags.system !== true)
    throw new UsageError('HOME is not set', { hint: 'give --system, or set HOME' });
  const configHome = environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
  const manager = managerFor(process.platform, scopeOf(flags), { home, configHome, uid: process.getuid?.() ?? 0 });
  if (manager) return manager;
  throw new UsageError('services need systemd or launchd', {
    hint: 'configure the service manager of this system to run: hydrant serve',
  });
}

export async function installService(session: Session, flags: InstallFlags): Promise<void> {
  const { context, out } = session;
  const manager = managerOf(session, flags);
  const plan = await planOf(session, flags);
  const text = manager.text(plan);
  if (flags.dryRun === true) return out.text(text);
  await refuseOther(manager);
  await refuseRunning(plan.dataDir, manager);
  await put(manager.file, text);
  if (flags.start) await runAll(manager.start, context.environment, manager.file);
  out.done(
    { file: manager.file, scope: plan.scope, data_dir: plan.dataDir, started: flags.start },
    { id: manager.file, notice: `${manager.file} written${flags.start ? ', and the service is running' : ''}` },
  );
  out.notice(`its log: ${manager.log}`);
  if (manager.name !== 'systemd') return;
  if (plan.scope === 'user') out.notice('to have it run while you are not logged in: loginctl enable-linger');
  else out.notice(`it runs as the user ${plan.account}; if there is none: sudo useradd --system ${plan.account}`);
}

async function planOf({ context, flags }: Session, { system, as }: InstallFlags): Promise<ServicePlan> {
  const isDefault = flags.dataDir === undefined && system === true;
  const dataDir = isDefault ? STATE_DIRECTORY : await localDirectory(flags, context.environment, 'service');
  // A line of its own in the unit could be any setting.
  if (/\p{Cc}/u.test(dataDir))
    throw new UsageError('--data-dir: the path has a line break, which a unit cannot contain');
  const account = as ?? 'hydrant';
  if (!/^[a-z_][\w-]{0,31}$/i.test(account)) throw new UsageError(`--as: \`${account}\` is not a user name`);
  return {
    scope: scopeOf({ ...(system === true && { system }) }),
    node: process.execPath,
    program: context.daemonPath,
    dataDir,
    account,
  };
}

/** Replaces and removes only units that this program wrote. @throws {UsageError} for another one of the same name */
async function refuseOther({ file }: Manager): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => MARK);
  if (text.includes(MARK)) return;
  throw new UsageError(`${file} exists and was not created by hydrant`, {
    hint: `check it, then move it away: mv ${file} ${file}.old`,
  });
}

/** Two daemons cannot have one directory; the service would fail again and again. */
async function refuseRunning(dataDir: string, manager: Manager): Promise<void> {
  const notice: unknown = await readFile(path.join(dataDir, DAEMON_NOTICE), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const pid = isObject(notice) ? notice['pid'] : undefined;
  const isOurs = await readFile(manager.file, 'utf8').then(
    () => true,
    () => false,
  );
  if (isOurs || typeof pid !== 'number' || !isAlive(pid)) return;
  throw new UsageError(`a daemon is running in ${dataDir} already (pid ${pid})`, {
    hint: `stop it first: kill ${pid}`,
  });
}

async function put(file: string, text: string): Promise<void> {
  try {
    // Who may write there starts programs as us: not everybody, whatever the umask.
    await mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(`${file}.new`, text, { mode: 0o644 });
    await rename(`${file}.new`, file);
  } catch (error) {
    throw refusal(`${file} cannot be written: ${systemReason(error)}`, file);
  }
}

function refusal(message: string, file: string): Failure {
  const isSystem = file.startsWith('/etc/') || file.startsWith('/Library/');
  return new Failure(
    'refused',
    exitCode.no,
    message,
    isSystem ? { hint: 'run it with sudo, or without --system' } : {},
  );
}

export async function uninstallService(session: Session, flags: ScopeFlags): Promise<void> {
  const { context, out } = session;
  const manager = managerOf(session, flags);
  const text = await readFile(manager.file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new NotFound(`there is no service: ${manager.file} does not exist`);
  await refuseOther(manager);
  await runAll(manager.stop, context.environment, manager.file);
  await rm(manager.file).catch((error: unknown) => {
    throw refusal(`${manager.file} cannot be removed: ${systemReason(error)}`, manager.file);
  });
  await runAll(manager.forget, context.environment, manager.file);
  out.done(
    { file: manager.file, removed: true },
    { id: manager.file, notice: `the service is stopped and ${manager.file} removed; the data stays where it is` },
  );
}

/** @returns the exit code: 1 unless the service runs */
export async function serviceStatus(session: Session, flags: ScopeFlags): Promise<number> {
  const manager = managerOf(session, flags);
  const isInstalled = await readFile(manager.file, 'utf8').then(
    () => true,
    () => false,
  );
  const ran = isInstalled ? await run(manager.isActive, session.context.environment) : undefined;
  const isActive = ran?.code === 0;
  const says = isActive ? 'runs' : isInstalled ? 'does not run' : 'is not installed';
  session.out.one(
    { installed: isInstalled, active: isActive, file: manager.file, scope: scopeOf(flags) },
    { id: isActive ? 'active' : 'inactive', lines: [`the service ${says}: ${manager.file}`] },
  );
  if (isInstalled && !isActive) session.out.notice(`its log: ${manager.log}`);
  return isActive ? exitCode.ok : exitCode.no;
}

async function runAll(commands: Manager['start'], environment: Environment, file: string): Promise<void> {
  for (const command of commands) {
    const { code, said } = await run(command, environment);
    if (code === 0) continue;
    const what = `\`${command.join(' ')}\` ${code === undefined ? 'cannot be run' : `ended with ${code}`}`;
    throw refusal(`${what}${said === '' ? '' : `: ${said}`}; ${file} stays as it is`, file);
  }
}

function run(
  [program = '', ...words]: readonly string[],
  env: Environment,
): Promise<{ code: number | undefined; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(0, 2_000)));
    child.once('error', (error) => resolve({ code: undefined, said: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, said: said.trim().split('\n')[0] ?? '' }));
  });
}
