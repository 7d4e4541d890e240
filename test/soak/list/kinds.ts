/** What a host of a list as people have it does, whatever is asked of it. */
export type Kind =
  | 'well'
  | 'silent'
  | 'refusing'
  | 'gone'
  | 'slow'
  | 'dripping'
  | 'tls'
  | 'moved'
  | 'throttling'
  | 'robots'
  | 'soft404';

/** Of a hundred hosts; the others are well. */
const SHARES: Readonly<Record<Exclude<Kind, 'well'>, number>> = {
  silent: 12,
  refusing: 8,
  gone: 8,
  slow: 8,
  dripping: 5,
  tls: 4,
  moved: 5,
  throttling: 4,
  robots: 3,
  soft404: 3,
};

/** Each kind is there once at least; they stand mixed, in the same way each time. */
export function mixed(count: number): Kind[] {
  const kinds = Object.entries(SHARES).flatMap(([kind, share]) => {
    return Array.from({ length: Math.max(1, Math.round((share * count) / 100)) }, () => kind as Kind);
  });
  while (kinds.length < count) kinds.push('well');
  const place = (n: number): number => Math.imul(n + 1, 2_654_435_761) >>> 0;
  return [...kinds.keys()].toSorted((one, other) => place(one) - place(other)).map((n) => kinds[n] ?? 'well');
}

/** The reasons by which `status` may name a host of the kind, or its page; undefined: there is nothing to name. */
export const NAMED_AS: Readonly<Record<Kind, readonly string[] | undefined>> = {
  well: undefined,
  silent: ['timeout'],
  // Those whose connection waited when the outage ended were closed: nobody can refuse without listening in between.
  refusing: ['connect', 'reset'],
  gone: ['404', '410'],
  slow: ['slow'],
  dripping: ['timeout'],
  tls: ['tls'],
  moved: ['moved'],
  throttling: ['429'],
  robots: ['500', 'robots'],
  soft404: ['not_found'],
};

/** Kinds whose hosts answer each request: none of them is to be held for one that does not. */
export const ANSWERING: ReadonlySet<Kind> = new Set(['well', 'gone', 'slow', 'moved', 'soft404']);

/** One list. Times in milliseconds. */
export interface Terms {
  readonly kinds: readonly Kind[];
  /** How often each source is visited. */
  readonly everyMs: number;
  /** How long a well page stays as it is. */
  readonly changeMs: number;
  readonly slowMs: number;
  readonly retryAfterMs: number;
}

/** `127.6.0.1` and on. */
export function addressOf(n: number): string {
  return `127.6.${Math.floor(n / 250)}.${1 + (n % 250)}`;
}

/** The version of a host's pages at a time; each host changes at times of its own. */
export function versionAt(n: number, at: number, changeMs: number): number {
  return Math.floor((at - phaseOf(n, changeMs)) / changeMs);
}

/** When the version came. */
export function bornAt(n: number, version: number, changeMs: number): number {
  return version * changeMs + phaseOf(n, changeMs);
}

function phaseOf(n: number, changeMs: number): number {
  return (n * 997) % changeMs;
}
