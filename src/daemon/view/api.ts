import type { FastifyInstance } from 'fastify';
import { ORGANIZATION_HEADER } from '../../shared/daemon-notice.ts';
import type { ProblemBody } from '../../shared/api/problem.ts';

/** The API said no: with its status and its own words. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly problem: ProblemBody;

  constructor(status: number, problem: ProblemBody) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Request {
  readonly body?: unknown;
  /** Of a tap, for the routes that act for one. */
  readonly token?: string;
}

/**
 * The API of this daemon, asked from within its process: every screen shows what a route answers, and every form sends what the
 * command line would. So the view has no right, no figure and no message of its own. Whom a request acts for is a header, which
 * nobody else can send: the operator's routes listen on the operator's socket alone, the others of these on nothing.
 */
export class Api {
  readonly #app: FastifyInstance;
  readonly #actingFor: string | undefined;

  constructor(app: FastifyInstance, actingFor: string | undefined) {
    this.#app = app;
    this.#actingFor = actingFor;
  }

  /** The `data` of an answer; undefined where it has none. @throws {Refusal} */
  async ask<Data>(method: Method, path: string, request?: Request): Promise<Data> {
    return (await this.answer<{ readonly data: Data }>(method, path, request)).data;
  }

  /** The whole answer. @throws {Refusal} */
  async answer<Answer>(method: Method, path: string, { body, token }: Request = {}): Promise<Answer> {
    const response = await this.#app.inject({
      method,
      url: path,
      headers: {
        ...(this.#actingFor !== undefined && { [ORGANIZATION_HEADER]: encodeURIComponent(this.#actingFor) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const { statusCode: status, payload } = response;
    const answer: unknown = payload === '' ? {} : JSON.parse(payload);
    if (status >= 300) throw new Refusal(status, answer as ProblemBody);
    return answer as Answer;
  }
}

/** `/v1/taps/` and what is the name of one thing, whatever is in it. */
export function pathTo(path: string, ...ids: readonly string[]): string {
  let next = 0;
  return path.replaceAll(':', () => encodeURIComponent(ids[next++] ?? ''));
}
