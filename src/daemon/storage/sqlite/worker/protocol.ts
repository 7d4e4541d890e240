import type { Ports } from '../../storage.ts';

/** What goes between the daemon's main thread and the storage thread. */
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
