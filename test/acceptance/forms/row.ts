import type { World } from './world.ts';

/** One run of `hydrant`: the words behind the command, and what is around it. */
export interface Invocation {
  readonly args?: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it ends with; absent: 0. */
  readonly exit?: number;
  /** For what does not end by itself: told to stop once it has said this on either stream. */
  readonly stopAfter?: RegExp;
}

/** The three forms of one command. The failing one runs first, so that what it leaves alone is still there. */
export interface Row {
  /** `tap list`: its words, without `hydrant`. */
  readonly command: string;
  /** What this machine lacks for it: the row is not run, and its tests are skipped with these words. */
  readonly lacks?: string;
  /** Done for people; what `says` is on stdout, or, where all that it has is a notice, on stderr with stdout empty. */
  readonly plain: Invocation & { readonly says: RegExp; readonly on?: 'stderr' };
  /** What stdout has then is told in docs/json.md. */
  readonly json: Invocation;
  /** What a user may get wrong: exit code, and `code` of the error with `--json`. */
  readonly fails: Invocation & { readonly exit: number; readonly code: string };
}

/** An id, as a pipe is told it. */
export const ID = /^[\da-f]{8}-[\da-f-]{27}/m;

/** The rows of a noun, one after another. */
export type Noun = (world: World) => readonly Row[];

/** The failing form of what takes no argument, or no more. */
export const excess = { args: ['one', 'too', 'many', 'words'], exit: 2, code: 'usage' } as const;

/** The failing form of what is told a name that nothing has. */
export const missing = { args: ['nothing-of-this-name'], exit: 5, code: 'not_found' } as const;
