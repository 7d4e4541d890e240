import type { Paint } from '../../output.ts';
import { printable } from '../../printable.ts';

/** The levels of the daemon's log, with the numbers that stand in its lines. */
export const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type Level = keyof typeof LEVELS;
export const LEVEL_NAMES = ['debug', 'info', 'warn', 'error', 'fatal'] as const satisfies readonly Level[];

/** Whether a line is at least so severe. What is no line of the log is always shown: it is there for some reason. */
export function isSevere(line: string, least: Level): boolean {
  const level = parse(line)?.['level'];
  return typeof level !== 'number' || level >= LEVELS[least];
}

/** A line of the log for people: the time, the level, what is said, the facts, and of an error its stack. */
export function pretty(line: string, paint: Paint): string {
  const record = parse(line);
  if (record === undefined) return printable(line);
  const { level, time, msg, err, ...facts } = record;
  const said = [
    paint('dim', clock(time)),
    named(level, paint),
    printable(typeof msg === 'string' ? msg : ''),
    ...Object.entries(facts).map(([name, value]) => paint('dim', printable(`${name}=${shown(value)}`))),
  ];
  return [said.join(' '), ...stackOf(err).map((text) => `    ${paint('dim', printable(text))}`)].join('\n');
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function clock(time: unknown): string {
  if (typeof time !== 'number' || !(Math.abs(time) < LAST_DATE)) return '';
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Milliseconds that a Date can tell. */
const LAST_DATE = 8.64e15;

const colours = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const;

function named(level: unknown, paint: Paint): string {
  const name = (['fatal', 'error', 'warn', 'info', 'debug'] as const).find((one) => Number(level) >= LEVELS[one]);
  return name === undefined ? '     ' : paint(colours[name], name.toUpperCase().padEnd(5));
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function stackOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  if ('stack' in error && typeof error.stack === 'string') return error.stack.split('\n').map((line) => line.trim());
  return 'message' in error && typeof error.message === 'string' ? [error.message] : [];
}
