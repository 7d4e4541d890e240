import type { Api } from './api.ts';
import type { Html } from './html.ts';
import type { Session } from './sessions.ts';
import type { Timeline } from './timeline-log.ts';

/** One request of somebody who is signed in. */
export interface Visit {
  readonly session: Session;
  readonly isOperator: boolean;
  readonly api: Api;
  readonly timeline: Timeline;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a form; none of a `GET`. */
  readonly form: URLSearchParams;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly body: Html;
  readonly status: number;
}

export interface Redirect {
  readonly kind: 'redirect';
  /** Below `/ui/`. */
  readonly to: string;
}

export function page(title: string, body: Html, status = 200): Page {
  return { kind: 'page', title, body, status };
}

export function redirect(to: string): Redirect {
  return { kind: 'redirect', to };
}

/** A screen, or what a form does. `who`: `operator` alone, or every `member` who signs in with a key as well. */
export interface ViewRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/ui`, as Fastify has it: `/watches/:id`. */
  readonly path: string;
  readonly who: 'operator' | 'member';
  readonly run: (visit: Visit) => Promise<Page | Redirect>;
}

/** A number of a query, from 1 up; the default where it is none. */
export function numberIn(query: URLSearchParams, field: string): number | undefined {
  const text = query.get(field) ?? '';
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
