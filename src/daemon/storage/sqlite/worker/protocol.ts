import type { Operations } from './operations.ts';

/** What goes between the daemon's thread and the storage thread. */
export interface ThreadOptions {
  readonly path: string;
  readonly groupCommitMs: number;
  /** For a log that is made now, or begins anew. */
  readonly partition: number;
  /** The last commits are gone with their journal: the log begins anew. */
  readonly isCutShort?: boolean;
}

/** Calls and answers go in bundles: a message costs more than most of what is in it (measured). */
export type Request = readonly Call[] | 'close';

export interface Call {
  readonly id: number;
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly failure: 'configuration' | 'environment'; readonly message: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] };

export type Answer = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly error: Flaw };

/** An error, in a form that crosses threads with its code. */
export interface Flaw {
  readonly message: string;
  readonly code: string | undefined;
}
