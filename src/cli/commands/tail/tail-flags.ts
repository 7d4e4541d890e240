import { InvalidArgumentError } from '@commander-js/extra-typings';
import { formatEventId, parseEventId, type EventId } from '../../../shared/api/stream.ts';
import { STREAM_SINCE_SECONDS } from '../../../shared/limits.ts';
import type { FollowOptions } from '../../client/follow.ts';
import type { Context, GlobalFlags } from '../../runtime/context.ts';
import { UsageError } from '../../runtime/failure.ts';
import { parseSeconds } from '../../text/time.ts';
import type { TailForm } from './tail-run.ts';

/** As tail.ts declares them. */
export interface TailFlags {
  readonly all?: true | undefined;
  readonly since?: string | undefined;
  readonly offset?: number | undefined;
  readonly lastId?: string | undefined;
  readonly resume?: true | undefined;
  readonly limit?: number | undefined;
  /** Seconds, as `for`. */
  readonly timeout?: number | undefined;
  readonly for?: number | undefined;
  readonly once?: true | undefined;
  readonly plain?: true | undefined;
  readonly format?: string | undefined;
  readonly fields?: string | undefined;
  readonly exec?: string | undefined;
  readonly execJobs?: number | undefined;
  readonly reconnect: boolean;
}

/** As many digits as an event id has (shared/api/stream.ts). */
export const MOST_OFFSET = 999_999_999_999_999;

/** Flags that say two things at once. @throws {UsageError} */
export function checkFlags(flags: TailFlags, json: boolean, taps: readonly string[]): void {
  checkForms(flags, json);
  checkPlaces(flags, flags.all === true || taps.length > 1);
  if (flags.execJobs !== undefined && flags.exec === undefined) throw new UsageError('--exec-jobs is for --exec');
  if (flags.all === true && taps.length > 0) throw new UsageError('--all takes every tap; leave the names out');
}

function checkForms(flags: TailFlags, json: boolean): void {
  const forms = [
    ...(flags.plain === true ? ['--plain'] : []),
    ...(json ? ['--json'] : []),
    ...(flags.format === undefined ? [] : ['--format']),
  ];
  if (forms.length > 1) throw new UsageError(`${forms.join(' and ')} exclude each other; give one`);
  const form = forms.find((one) => one !== '--json');
  if (form === undefined) return;
  if (flags.fields !== undefined) throw new UsageError(`--fields is for JSON; leave ${form} out`);
  if (flags.exec !== undefined) throw new UsageError(`--exec prints no lines; leave ${form} out`);
}

function checkPlaces(flags: TailFlags, areSeveral: boolean): void {
  const places = [flags.since, flags.offset, flags.lastId].filter((place) => place !== undefined);
  if (places.length > 1) throw new UsageError('--since, --offset and --last-id all set the start; give one');
  if (areSeveral && (flags.offset !== undefined || flags.lastId !== undefined)) {
    throw new UsageError('an offset belongs to a single tap', { hint: 'with several taps give --since or --resume' });
  }
}

/** Where it begins, and when the daemon ends it. @param next where the run before has come to */
export function start(flags: TailFlags, next: EventId | undefined): Partial<FollowOptions> {
  const { limit, timeout, reconnect } = flags;
  const shared = { limit, timeout, reconnect };
  if (next !== undefined) {
    // Offset 0 has no event before it.
    if (next.offset === 0) return { ...shared, offset: 0 };
    return { ...shared, lastEventId: formatEventId({ ...next, offset: next.offset - 1 }) };
  }
  const placed = flags.since !== undefined || flags.offset !== undefined || flags.lastId !== undefined;
  // Reading to the head from the head would read nothing.
  const since = flags.once === true && !placed ? '24h' : flags.since;
  return { ...shared, lastEventId: flags.lastId, offset: flags.offset, since };
}

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
export function formOf(
  flags: Partial<Pick<TailFlags, 'plain' | 'once' | 'format' | 'fields' | 'exec'>> & Pick<GlobalFlags, 'json'>,
  { io, environment }: Pick<Context, 'io' | 'environment'>,
): TailForm {
  if (flags.format !== undefined) return 'template';
  if (flags.json === true || flags.fields !== undefined || flags.exec !== undefined) return 'json';
  if (flags.plain === true) return 'plain';
  if (io.stdout.isTTY !== true) return 'json';
  const isScreen = io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  return isScreen && flags.once !== true ? 'screen' : 'plain';
}

export function secondsOf(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined || seconds < 1 || seconds > 30 * 86_400) {
    throw new InvalidArgumentError('It must be a time from 1s to 30d, such as 30s, 10m, 1h.');
  }
  return seconds;
}

export function sinceOf(text: string): string {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds >= 1 && seconds <= STREAM_SINCE_SECONDS) return `${seconds}s`;
  throw new InvalidArgumentError('It must be a time up to 24h, such as 5m, 1h, 24h.');
}

export function idOf(text: string): string {
  if (parseEventId(text)) return text;
  throw new InvalidArgumentError('It must be the id of an event, such as 0-1842.');
}

export function commandOf(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must be a command for the shell.');
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
