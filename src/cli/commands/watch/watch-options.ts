import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { WatchOptions } from '../../../shared/api/watch.ts';
import { WATCH_FREQUENCIES } from '../../../shared/limits.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { renderFlags, type RenderFlags, renderOf, renderWords } from '../render-flags.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** How often a watch is checked, and what counts of its page, as words of the command line and of files. */
const CADENCES = WATCH_FREQUENCIES.map(cadenceWord).join(', ');

/** Minutes without `--every`. */
export const USUAL_MINUTES = 360;

/** `5m`, `6h`, `2d`: minutes as one types them. */
export function cadenceWord(minutes: number): string {
  if (minutes % DAY === 0) return `${minutes / DAY}d`;
  return minutes % HOUR === 0 ? `${minutes / HOUR}h` : `${minutes}m`;
}

const units: Readonly<Record<string, number>> = { m: 1, h: HOUR, d: DAY, w: 7 * DAY };
const words: Readonly<Record<string, number>> = { hourly: HOUR, daily: DAY, weekly: 7 * DAY };

/** Minutes of `5m`, `6h`, `1d`, `1w`, `2 hours`, `hourly`, `daily`, `weekly`, allowed or not; undefined when it is none of these. */
export function minutesOf(text: string): number | undefined {
  const typed = text.trim().toLowerCase();
  const [, digits, unit = ''] = /^(\d{1,6}) ?(min(?:ute)?s?|hours?|days?|weeks?|[mhdw])$/.exec(typed) ?? [];
  const size = units[unit.slice(0, 1)];
  return digits !== undefined && size !== undefined ? Number(digits) * size : words[typed];
}

/** The allowed cadence that is nearest, by the factor between the two; the slower one of two that are as near. */
export function nearestCadence(minutes: number): number {
  const distance = (one: number): number => Math.abs(Math.log(one / Math.max(minutes, 1)));
  return WATCH_FREQUENCIES.reduce<number>(
    (best, one) => (distance(one) <= distance(best) ? one : best),
    WATCH_FREQUENCIES[0],
  );
}

export function isCadence(minutes: number): boolean {
  return WATCH_FREQUENCIES.some((one) => one === minutes);
}

/** What is wrong with it, and what would be right; undefined: nothing. */
export function cadenceFault(text: string): string | undefined {
  const minutes = minutesOf(text);
  if (/^\s*\d+\s*$/.test(text)) return `Its unit is missing: it must be one of ${CADENCES}.`;
  if (minutes === undefined) return `It must be one of ${CADENCES}.`;
  if (isCadence(minutes)) return undefined;
  return `The nearest is ${cadenceWord(nearestCadence(minutes))}; it must be one of ${CADENCES}.`;
}

function cadence(text: string): number {
  const fault = cadenceFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return minutesOf(text) ?? USUAL_MINUTES;
}

export function everyOption(about = 'time between two checks'): Option<'--every <time>', undefined, undefined, number> {
  return new Option('--every <time>', `${about}: ${CADENCES}`).argParser(cadence);
}

/** The flags of `WatchOptions`. False: it was cleared with `--no-…`. */
export interface OptionFlags extends RenderFlags {
  readonly select?: readonly string[] | false | undefined;
  readonly xpath?: readonly string[] | undefined;
  readonly jsonpath?: readonly string[] | undefined;
  readonly ignore?: readonly string[] | false | undefined;
  readonly only?: 'added' | 'removed' | false | undefined;
  readonly trigger?: string | false | undefined;
  readonly confirm?: boolean | undefined;
}

export function selectOption(): Option<'--select <css>', undefined, undefined, readonly string[]> {
  return new Option('--select <css>', 'watch only the elements it matches; may be repeated').argParser(collected);
}

export function xpathOption(): Option<'--xpath <path>', undefined, undefined, readonly string[]> {
  return new Option('--xpath <path>', 'the same as XPath, where CSS can say it; may be repeated').argParser(collected);
}

export function jsonpathOption(): Option<'--jsonpath <path>', undefined, undefined, readonly string[]> {
  return new Option('--jsonpath <path>', 'watch only what it selects in JSON; may be repeated').argParser(collected);
}

export function ignoreOption(): Option<'--ignore <css|/regex/>', undefined, undefined, readonly string[]> {
  const about = 'leave out elements it matches, or lines; may be repeated';
  return new Option('--ignore <css|/regex/>', about).argParser(collected);
}

type Side = 'added' | 'removed';

export function onlyOption(): Option<'--only <kind>', undefined, undefined, undefined, false, Side> {
  const about = 'count only added, or only removed, lines as a change';
  return new Option('--only <kind>', about).choices(['added', 'removed'] as const);
}

export function triggerOption(): Option<'--trigger <query>'> {
  return new Option('--trigger <query>', 'count only changes that match the query');
}

export function confirmOption(): Option<'--confirm'> {
  return new Option('--confirm', 'report a change only after a second check confirms it');
}

/** Commander hands in what the flag has so far: nothing, or false after `--no-…`. */
function collected(value: string, former: readonly string[] | undefined): readonly string[] {
  return Array.isArray(former) ? [...former, value] : [value];
}

/**
 * What the command line says of a page, checked before anything is sent. Only who says it pays for what reads queries
 * and selectors.
 * @throws {Failure} for the first that is wrong
 */
export async function checkOptions(flags: OptionFlags): Promise<void> {
  if (typeof flags.trigger === 'string') (await import('./watch-option-checks.ts')).checkTrigger(flags.trigger);
  if (flags.select === undefined && flags.ignore === undefined && flags.waitFor === undefined) return;
  (await import('./watch-option-checks.ts')).checkSelectors(flags);
}

/**
 * `--select` with what `--xpath` and `--jsonpath` mean: CSS, and entries that begin with `$`.
 * @throws {UsageError} for what is none, or what CSS cannot say
 */
export async function withPaths<Flags extends OptionFlags>(flags: Flags): Promise<Flags> {
  const { xpath = [], jsonpath = [], select } = flags;
  if (xpath.length + jsonpath.length === 0) return flags;
  const { cssOf, checkPaths } = await import('./watch-option-checks.ts');
  checkPaths(jsonpath);
  return { ...flags, select: [...(select || []), ...xpath.flatMap(cssOf), ...jsonpath] };
}

/** Only what was said. */
export function optionsOf({ select, ignore, only, trigger, confirm, ...flags }: OptionFlags): Partial<WatchOptions> {
  const render = renderOf(flags);
  return {
    ...(select !== undefined && { select: select === false ? [] : [...select] }),
    ...(ignore !== undefined && { ignore: ignore === false ? [] : [...ignore] }),
    ...(only !== undefined && { only: only === false ? null : only }),
    ...(trigger !== undefined && { trigger: trigger === false ? null : trigger }),
    ...(confirm !== undefined && { confirm }),
    ...(render !== undefined && { render }),
  };
}

/** `select main, ignore .ad`: what differs from a watch without options, for a line of a list. */
export function optionWords(options: Partial<WatchOptions>): string[] {
  return [
    ...(options.select ?? []).map((css) => `select ${css}`),
    ...(options.ignore ?? []).map((pattern) => `ignore ${pattern}`),
    ...(options.only ? [`only ${options.only}`] : []),
    ...(options.trigger ? [`trigger ${options.trigger}`] : []),
    ...(options.confirm === true ? ['confirm'] : []),
    ...renderWords(options.render),
  ];
}

/** The same as flags of `watch add` and `watch edit`, ready for a shell. */
export function optionFlags(options: Partial<WatchOptions>): string[] {
  return [
    ...(options.select ?? []).map((css) => `--select ${quoted(css)}`),
    ...(options.ignore ?? []).map((pattern) => `--ignore ${quoted(pattern)}`),
    ...(options.only ? [`--only ${options.only}`] : []),
    ...(options.trigger ? [`--trigger ${quoted(options.trigger)}`] : []),
    ...(options.confirm === true ? ['--confirm'] : []),
    ...renderFlags(options.render),
  ];
}
