import { isObject } from '../../shared/page/json-value.ts';
import { LIKENESSES } from '../../shared/api/watch-values.ts';
import type { ReadingAccount } from '../../shared/page/account.ts';
import type { Cut } from '../../shared/page/page.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { Key, KeyCreated } from '../../shared/api/organization.ts';
import type { RequestReport } from '../../shared/api/own-request.ts';
import type { RenderOptions } from '../../shared/api/render.ts';
import type { DomainRating, RatingImport, RatingStatus } from '../../shared/api/rating.ts';
import type { Rule } from '../../shared/api/rule.ts';
import { SINK_KINDS } from '../../shared/api/notify-values.ts';
import type {
  EventLogUse,
  FailingUrl,
  MemoryUse,
  MovedUrl,
  NodeStatus,
  SinkTotals,
  Status,
  UnhealthyHost,
  UnhealthySink,
} from '../../shared/api/status.ts';
import type { Tap, TapCreated } from '../../shared/api/tap.ts';

/**
 * What an answer must look like before a command prints it: the address may be another service's, or a daemon of
 * another version. Written by hand rather than with the schemas of shared/api: loading typebox's checker costs more
 * than the whole command. A key that is missing or of another type is an answer we cannot read; unknown keys pass.
 */
export type Guard<T> = (value: unknown) => value is T;

export type Check = (value: unknown) => boolean;
type Checks<T> = { readonly [Key in keyof T]-?: Check };

export function listOf<T>(guard: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every((item) => guard(item));
}

export function shaped<T>(checks: Checks<T>): Guard<T> {
  const entries: readonly [string, Check][] = Object.entries<Check>(checks);
  return (value): value is T => isObject(value) && entries.every(([key, check]) => check(value[key]));
}

export const text: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number';
export const flag: Check = (value) => typeof value === 'boolean';
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

/** How a page is asked for, where it is asked for otherwise than others. */
export const isRequestReport = shaped<RequestReport>({
  method: oneOf('GET', 'POST'),
  headers: (value) => Array.isArray(value) && value.every(text),
  body_bytes: orNull(number),
  headers_from: orNull(text),
  proxy: orNull(text),
  user_agent: orNull(text),
  timeout_seconds: orNull(number),
});

/** How a page is rendered, where it is. */
export const isRender = shaped<RenderOptions>({ wait_for: optional(text), within_seconds: optional(number) });

const tapStatus = oneOf('active', 'paused');
export const counts: Check = (value) => isObject(value) && Object.values(value).every((count) => number(count));

export const isTap = shaped<Tap>({
  id: text,
  name: text,
  status: tapStatus,
  token: text,
  token_prefix: text,
  rules_count: number,
  last_used_at: orNull(text),
  created_at: text,
});

export const isTapCreated = shaped<TapCreated>({
  data: shaped<TapCreated['data']>({ id: text, name: text, token_prefix: text, created_at: text }),
  token: text,
});

export const isRule = shaped<Rule>({ id: text, value: text, tag: optional(text), nsfw: flag, quality: flag });

const isSpan = shaped<NonNullable<Diagnostic['span']>>({ start: number, end: number });
const isHint = shaped<NonNullable<Diagnostic['hint']>>({ message: text, replacement: text });
export const isDiagnostic = shaped<Diagnostic>({
  severity: oneOf('error', 'warning'),
  code: text,
  message: text,
  field: orNull(text),
  span: optional(isSpan),
  hint: optional(isHint),
});

export const isKey = shaped<Key>({ id: text, name: text, prefix: text, member: text, created_at: text });
export const isKeyCreated = shaped<KeyCreated>({ data: isKey, key: text });

export const isDomainRating = shaped<DomainRating>({
  domain: text,
  rating: orNull(number),
  imported: orNull(number),
  own: orNull(number),
  referring_domains: number,
});
export const isRatingImport = shaped<RatingImport>({ id: text, domains: number });
export const isRatingStatus = shaped<RatingStatus>({
  imported: orNull(shaped<NonNullable<RatingStatus['imported']>>({ name: text, domains: number, at: text })),
  own: orNull(shaped<NonNullable<RatingStatus['own']>>({ domains: number, links: number, at: text })),
});

export const isUnhealthyHost = shaped<UnhealthyHost>({
  host: text,
  reason: text,
  failures: number,
  next_try: orNull(text),
});

export const isStatus = shaped<Status>({
  version: text,
  pid: number,
  started_at: text,
  url: text,
  data_dir: text,
  user_agent: optional(text),
  organization: text,
  crawl: shaped<Status['crawl']>({
    sources: number,
    pages: number,
    visits: number,
    changes: number,
    failures: number,
    in_flight: number,
    oldest_due_ms: orNull(number),
    network_doubted_since: optional(orNull(text)),
    unhealthy: optional(listOf(isUnhealthyHost)),
    failing: optional(
      listOf(
        shaped<FailingUrl>({
          kind: text,
          id: text,
          url: text,
          reason: text,
          failures: number,
          since: optional(text),
          detail: optional(text),
          last_visit_at: text,
        }),
      ),
    ),
    moved: optional(listOf(shaped<MovedUrl>({ id: text, url: text, to: text, last_visit_at: text }))),
    robots: shaped<Status['crawl']['robots']>({ hosts: number, unreachable: number, refused: number }),
  }),
  watch: shaped<Status['watch']>({
    watches: number,
    active: number,
    failing: number,
    held: number,
    checks: number,
    changes: number,
    oldest_due_ms: orNull(number),
    late_ms: shaped<Status['watch']['late_ms']>({ p50: orNull(number), p99: orNull(number) }),
    outcomes: counts,
    faults: number,
  }),
  match: shaped<Status['match']>({
    taps: number,
    rules: number,
    events: number,
    log: optional(
      shaped<EventLogUse>({ bytes: number, most_bytes: number, retention_seconds: number, kept_from: orNull(text) }),
    ),
  }),
  nodes: optional(listOf(shaped<NodeStatus>({ name: text, is_live: flag, is_this: flag, silent_ms: number }))),
  sinks: optional(
    shaped<SinkTotals>({
      sinks: number,
      paused: number,
      sent: number,
      parked: number,
      dropped: number,
      behind: number,
      unhealthy: listOf(
        shaped<UnhealthySink>({
          id: text,
          name: text,
          kind: oneOf(...SINK_KINDS),
          state: oneOf('failing', 'dead', 'disabled'),
          since: text,
          detail: text,
        }),
      ),
    }),
  ),
  stream: shaped<Status['stream']>({ open: number, buffered_bytes: number }),
  memory_bytes: number,
  memory: optional(
    shaped<MemoryUse>({
      plan: text,
      program_bytes: orNull(number),
      main_heap_bytes: number,
      storage_heap_bytes: number,
      analysis_heap_bytes: number,
      analysis_threads: number,
      buffer_bytes: number,
      sqlite_cache_limit_bytes: number,
      other_bytes: number,
    }),
  ),
  disk: optional(shaped<NonNullable<Status['disk']>>({ free_bytes: number, total_bytes: number })),
  losses: optional((value) => Array.isArray(value) && value.every(text)),
  refused_rules: optional(
    listOf(shaped<NonNullable<Status['refused_rules']>[number]>({ id: text, tap: text, why: text })),
  ),
  problems: listOf(shaped<Status['problems'][number]>({ at: text, message: text, count: optional(number) })),
});

export const isAccount = shaped<ReadingAccount>({
  read: number,
  boilerplate: number,
  shared: optional(number),
  hidden: number,
  cut: optional(shaped<Cut>({ lines: number, shortened: number })),
  looks_like: optional(oneOf(...LIKENESSES)),
  notes: listOf((value): value is string => typeof value === 'string'),
});

/** How an endpoint of the operator's is asked; `tell` is for those that answer nothing. */
export interface Asking {
  readonly ask: <Item>(guard: Guard<Item>, method: string, path: string, body?: object) => Promise<Item>;
  /** Where there is more in the answer than `data`. */
  readonly askWhole: Asking['ask'];
  readonly tell: (method: string, path: string, body?: object) => Promise<void>;
}
