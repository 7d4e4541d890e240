import { faultPoint } from '../../../fault-points.ts';
import type { Ports } from '../../storage.ts';

/**
 * How the storage thread does one method of a port. A `read` is answered at once and sees committed state. A `write` is
 * one step of a group commit and is answered after COMMIT. A `longWrite` is done in as many steps as it needs, each in
 * another transaction, so that the visits never wait for it.
 */
export type Operation<Method extends PortMethod = PortMethod> =
  | { readonly read: (...args: Parameters<Method>) => Awaited<ReturnType<Method>> }
  | { readonly write: (...args: Parameters<Method>) => Awaited<ReturnType<Method>> }
  | { readonly longWrite: (...args: Parameters<Method>) => () => Step<Awaited<ReturnType<Method>>> };

/**
 * How the storage thread does a port. The names and types are the port's own: a method that is added there is asked for
 * here, and a method that is not asynchronous does not compile.
 */
export type Operations<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends PortMethod ? Operation<Port[Name]> : never;
};

type PortMethod = (...args: never) => Promise<unknown>;

/** How far a write has come: one that is not done makes its next step in one of the next groups. */
export interface Step<Answer = unknown> {
  readonly done: boolean;
  readonly answer: Answer;
  /** Nobody has to wait for what is left. */
  readonly isAnswered?: boolean;
}

/**
 * Rows that a step of a long write touches at most: about a millisecond (measured), so that no visit waits for a cleanup.
 * Each step leaves a state that is right to stop in; what the end of the process cut short, the next one finishes.
 */
export const ROWS_A_STEP = 200;

/** What is removed in two stages: first nobody finds it any more, then its rows are deleted, some at a time. */
export interface Sweepable {
  /** Removes at most `atMost` rows; whether there may be more. */
  sweepSome(atMost: number): boolean;
}

export function sweeping(store: Sweepable, atMost = ROWS_A_STEP): () => Step<void> {
  return () => {
    const isMore = store.sweepSome(atMost);
    faultPoint('clean:swept');
    return { done: !isMore, answer: undefined };
  };
}

/** Forgotten in the first step, swept in the others. */
export function forgetting(forget: () => void, store: Sweepable): () => Step<void> {
  const sweep = sweeping(store);
  let isForgotten = false;
  return () => {
    if (isForgotten) return sweep();
    forget();
    isForgotten = true;
    faultPoint('clean:forgotten');
    return { done: false, answer: undefined };
  };
}

/** What goes between the daemon's main thread and the storage thread. */
export interface ThreadOptions {
  readonly path: string;
  readonly groupCommitMs: number;
  /** For a log that is made now, or begins anew. */
  readonly partition: number;
  /** The last commits are gone with their journal: the log begins anew. */
  readonly isCutShort?: boolean;
  /** Of SQLite's cache, at most. */
  readonly cacheBytes?: number;
  /** MB of the thread's young generation. */
  readonly youngMb?: number;
}

/** Calls and answers go in bundles: a message costs more than most of what is in it (measured). */
export type Request = readonly Call[] | 'release' | 'close';

export interface Call {
  readonly id: number;
  /** `pages.commit` */
  readonly operation: string;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly kind: 'ready'; readonly methods: Methods }
  | { readonly kind: 'refused'; readonly failure: 'configuration' | 'environment'; readonly message: string }
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] };

export type Answer = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly error: Flaw };

/** An error, in a form that crosses threads with its code. */
export interface Flaw {
  readonly message: string;
  readonly code: string | undefined;
}

/** The names of the methods of each port. */
export type Methods = Readonly<Record<string, readonly string[]>>;

/** Ports whose methods are calls by name, `pages.commit`: what a call asks and answers, the types of the ports say. */
export function portsOver(
  methods: Methods,
  call: (operation: string, args: readonly unknown[]) => Promise<unknown>,
): Ports {
  const ports = Object.entries(methods).map(([port, names]) => {
    const calls = names.map((name) => {
      const operation = `${port}.${name}`;
      return [name, (...args: unknown[]) => call(operation, args)] as const;
    });
    return [port, Object.fromEntries(calls)] as const;
  });
  return Object.fromEntries(ports) as unknown as Ports;
}
