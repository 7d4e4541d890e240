import { Option } from '@commander-js/extra-typings';
import { SINK_OPTIONS } from '../../../shared/limits.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { SessionFlags } from '../session.ts';
import { MESSAGE_FIELDS } from '../../../shared/api/notify-values.ts';
import type { Typed, TypedValue } from './notify-targets.ts';
import type { SettingWords } from './notify-settings.ts';

/** The flags of `notify add` and `notify edit`: what a sink carries, when it sends, and the fields of its kind. */
export interface SinkFlags extends Omit<SettingWords, 'quiet'> {
  readonly quietHours?: string | undefined;
  readonly to?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly smtp?: string | undefined;
  readonly user?: string | undefined;
  /** True: without a value, which asks for it. */
  readonly password?: string | true | undefined;
  readonly token?: string | true | undefined;
  readonly secret?: string | true | undefined;
  readonly option?: readonly string[] | undefined;
}

export function tapsOption(): Option<'--taps <taps>'> {
  return new Option('--taps <taps>', 'matches of these taps: all, none, or names with commas');
}

export function queryOption(): Option<'--query <query>'> {
  return new Option('--query <query>', 'of these matches only those that the query matches, too');
}

export function watchesOption(): Option<'--watches <watches>'> {
  return new Option('--watches <watches>', 'changes of watches: all, none, or tag:shop,eu');
}

export function problemsOption(): Option<'--problems <failures>'> {
  return new Option('--problems <failures>', 'what fails so often in a row, and when it is over; or none');
}

export function digestOption(): Option<'--digest <when>'> {
  return new Option('--digest <when>', 'all in one message, every 1h or daily at 08:00');
}

export function quietHoursOption(): Option<'--quiet-hours <window>'> {
  return new Option('--quiet-hours <window>', 'send nothing from 22:00-07:00; it waits');
}

export function zoneOption(): Option<'--zone <zone>'> {
  return new Option('--zone <zone>', "time zone of these times, such as Europe/Berlin (the daemon's)");
}

export function atMostOption(): Option<'--at-most <rate>'> {
  return new Option('--at-most <rate>', 'most messages in a time, such as 20/h; the last has all that waits');
}

export function formatOption(): Option<'--format <template>'> {
  return new Option('--format <template>', "the text of a message, such as '{title}\\n{url}'");
}

export function toOption(): Option<'--to <address>', undefined, undefined, readonly string[]> {
  return new Option('--to <address>', 'email: who gets it; may be repeated').argParser(collected);
}

export function fromOption(): Option<'--from <address>'> {
  return new Option('--from <address>', 'email: who sends it');
}

export function smtpOption(): Option<'--smtp <server>'> {
  return new Option('--smtp <server>', 'email: the mail server, such as smtp.example.org:587');
}

export function userOption(): Option<'--user <user>'> {
  return new Option('--user <user>', 'the user name');
}

export function passwordOption(): Option<'--password [secret]'> {
  return new Option('--password [secret]', 'the password: @FILE, or - for stdin');
}

export function tokenOption(): Option<'--token [secret]'> {
  return new Option('--token [secret]', 'the token: @FILE, or - for stdin');
}

export function secretOption(): Option<'--secret [secret]'> {
  return new Option('--secret [secret]', 'webhook: what signs messages: @FILE, or - for stdin');
}

export function fieldOption(): Option<'-o, --option <field=value>', undefined, undefined, readonly string[]> {
  return new Option('-o, --option <field=value>', 'any field of the kind; may be repeated').argParser(collected);
}

/** Commander hands in what the flag has so far. */
function collected(value: string, former: readonly string[] | undefined): readonly string[] {
  return [...(former ?? []), value];
}

export function settingWordsOf({ quietHours, format, ...flags }: SinkFlags): SettingWords {
  return {
    ...flags,
    quiet: quietHours,
    ...(format !== undefined && { format: format.replaceAll(/\\[nt\\]/g, (found) => ESCAPES[found] ?? found) }),
  };
}

/** What a shell's word may say instead of a line end. */
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' };

/** The flag of a setting. */
export function flagOfSetting(setting: keyof SettingWords): string {
  const names: Partial<Record<keyof SettingWords, string>> = { quiet: '--quiet-hours', atMost: '--at-most' };
  return names[setting] ?? `--${setting}`;
}

/** The fields of the kind that were given. @throws {UsageError} for one that is given twice, or has no value */
export function typedFields({ to, from, smtp, user, password, token, secret, option = [] }: SinkFlags): Typed {
  const server = smtp === undefined ? {} : mailServer(smtp);
  const named = { ...server, to: to?.join(', '), from, user, password, token, secret };
  const typed: Record<string, TypedValue> = {};
  const put = (name: string, value: TypedValue): void => {
    if (typed[name] !== undefined) throw new UsageError(`the field ${name} is given twice`);
    typed[name] = value;
  };
  for (const [name, value] of Object.entries(named)) if (value !== undefined) put(name, value);
  if (option.length > SINK_OPTIONS) throw new UsageError(`--option may be given ${SINK_OPTIONS} times`);
  for (const pair of option) {
    const at = pair.indexOf('=');
    if (at < 1) {
      throw new UsageError('--option takes FIELD=VALUE', {
        hint: 'fields of each kind: hydrant notify kinds',
      });
    }
    put(pair.slice(0, at), pair.slice(at + 1));
  }
  return typed;
}

/** `smtp.example.org:587`; 465 is the port that speaks TLS from its first byte. */
function mailServer(text: string): Typed {
  const url = URL.parse(`smtp://${text}`);
  if (url === null || url.hostname === '' || url.username !== '' || !/^\/?$/.test(url.pathname)) {
    throw new UsageError(`--smtp \`${text}\` is not a mail server`, { hint: 'it looks like smtp.example.org:587' });
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, ...(url.port !== '' && { port: url.port }), ...(url.port === '465' && { security: 'tls' }) };
}

/**
 * `--template` and `--quiet` mean something else everywhere here, and would be taken without a word.
 * @throws {UsageError} with the flag that was meant
 */
export function refuseOtherFlags({ template, quiet }: SessionFlags, words: readonly string[]): void {
  const ofMessage = MESSAGE_FIELDS.find((field) => template?.includes(`{${field}}`) === true);
  if (ofMessage !== undefined) {
    throw new UsageError('--template forms what this command prints, and a sink has no field ' + ofMessage, {
      hint: "the text of messages: --format '{title}\\n{url}'",
    });
  }
  const window = words.find((word) => /^\d\d?:\d\d-\d\d?:\d\d$/.test(word));
  if (quiet === true && window !== undefined) {
    throw new UsageError('--quiet prints ids only, and has no value', {
      hint: `when nothing is sent: --quiet-hours ${window}`,
    });
  }
}
