import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { configName, durationSeconds, environmentName, type Setting, settings } from '../../../shared/settings.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

/**
 * The daemon in the foreground. The flags are made from the table of settings; only those that were typed are passed on,
 * since the daemon itself reads the environment, the config file and the defaults.
 */
export function serveCommand(action: Action, name = 'serve'): CommandUnknownOpts {
  const own = name === 'serve' ? 'hydrant serve' : name;
  const command = withExamples(
    new Command(name),
    own,
    `${own} --data-dir /var/lib/hydrant --listen 0.0.0.0:7878`,
    `${own} --allow-private 192.168.1.0/24`,
  )
    .description('run the daemon in the foreground; Ctrl-C stops it')
    .option('--config <file>', 'config file, JSON (default: $XDG_CONFIG_HOME/hydrant/hydrantd.json)');
  for (const setting of settings) command.addOption(flagOf(setting));
  return command.action(action(({ context }, _words, _flags, self) => context.serve(typed(self))));
}

function flagOf(setting: Setting): Option {
  const text = `${setting.doc}${defaultText(setting)} [${environmentName(setting.name)}]`;
  const option = new Option(`--${setting.name} ${setting.value}`, text);
  if (setting.preset !== undefined) option.preset(setting.preset);
  if (setting.choices) return option.choices(setting.choices);
  if (setting.type === 'list') {
    return option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  if (setting.type === 'duration') return option.argParser((value) => durationOf(value, setting));
  const isNumber = ['integer', 'number', 'port', 'seconds'].includes(setting.type);
  return isNumber ? option.argParser((value) => numberOf(value, setting)) : option;
}

function defaultText({ default: value }: Setting): string {
  return Array.isArray(value) || value === '' ? '' : ` (default: ${String(value)})`;
}

function numberOf(text: string, setting: Setting): number {
  const least = setting.least ?? 0;
  const most = setting.most ?? (setting.type === 'port' ? 65_535 : Number.MAX_SAFE_INTEGER);
  const isWhole = setting.type !== 'seconds' && setting.type !== 'number';
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
}

/** As it was typed: the daemon reads it as it reads the environment. */
function durationOf(text: string, { least = 0, most = 0 }: Setting): string {
  const seconds = durationSeconds(text);
  if (seconds !== undefined && seconds >= least && seconds <= most) return text;
  throw new InvalidArgumentError(`It must be a time from ${least / 3_600}h to ${most / 86_400}d, such as 7d.`);
}

/** By camelCase name. The root has a --data-dir too, so both are looked at. */
function typed(command: CommandUnknownOpts): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = command.optsWithGlobals();
  const names = ['config', ...settings.map((setting) => configName(setting.name))];
  const given = names.filter((name) => command.getOptionValueSourceWithGlobals(name) === 'cli');
  return Object.fromEntries(given.map((name) => [name, values[name]]));
}
