import type { TObject, TSchema } from 'typebox';
import type { Problem } from '../problem.ts';

export type KeyKind = 'management key' | 'tap token' | 'none';

declare module 'fastify' {
  interface FastifySchema {
    /** Every public route has one; `/openapi.json` and `/docs` are made from it. */
    readonly doc?: RouteDoc;
  }
}

/**
 * What the API documentation says about a route beyond the schemas that its requests are validated with. The answer's schema
 * is documentation only: given to Fastify as `response`, it would drop the fields it does not name from what is sent.
 */
export interface RouteDoc {
  /** `operationId`: what generated clients call it. */
  readonly id: string;
  readonly tag: 'Taps' | 'Rules' | 'Stream' | 'Validation' | 'URL Watch' | 'Documentation';
  readonly key: KeyKind;
  readonly summary: string;
  readonly description?: string;
  /** Parameters that the handler validates itself. */
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly answer: AnswerDoc;
  /** How it can refuse, beyond what every route with such a key or a body can. */
  readonly refusals?: readonly Problem[];
}

/** The organization and plan that the examples of refusals name. */
export const ON_FREE = { organization: 'press', plan: 'Free', isOwn: false } as const;

export interface AnswerDoc {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Media types; default `application/json`. None with 204. */
  readonly content?: Readonly<Record<string, { readonly schema: TSchema; readonly example: unknown }>>;
  readonly headers?: Readonly<Record<string, TSchema>>;
}

export function json(schema: TSchema, example: unknown): NonNullable<AnswerDoc['content']> {
  return { 'application/json': { schema, example } };
}
