import type { ProblemCode, ProblemFacts } from '../shared/api/problem.ts';

/**
 * What a room throws when it refuses: a code with its facts. Only `http` (status and sentence) and the command line
 * (exit code) turn it into words.
 */
export class Problem<Code extends ProblemCode = ProblemCode> extends Error {
  override readonly name = 'Problem' as const;
  readonly code: Code;
  readonly facts: ProblemFacts[Code];

  constructor(code: Code, facts: ProblemFacts[Code]) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

/** What the system says where a file cannot grow: a full disk, a used-up quota, a limit of the process. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

export function isNoRoomCode(code: string | undefined): boolean {
  return code !== undefined && NO_ROOM.has(code);
}

/** Whether a write has failed because there is no room for it. The storage thread hands on the system's code, too. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && isNoRoomCode(error.code);
}
