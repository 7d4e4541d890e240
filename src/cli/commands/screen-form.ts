import type { Session } from './session.ts';

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
export function canShow({ context, flags }: Pick<Session, 'context' | 'flags'>): boolean {
  const { io, environment } = context;
  const isTerminal = io.stdout.isTTY === true && io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  return isTerminal && flags.json !== true && flags.quiet !== true;
}
