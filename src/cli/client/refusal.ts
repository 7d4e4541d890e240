import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { ProblemBody } from '../../shared/api/problem.ts';
import { exitCode, exitCodeOfStatus } from '../runtime/exit-code.ts';
import { Failure } from '../runtime/failure.ts';
import { isDiagnostic, listOf } from './shape.ts';
import { type Answer, type Target, Unreachable } from './transport.ts';

/** Bytes of an answer that is read whole: 50,000 sources are some 30 MB; only the stream is longer. */
const ANSWER_BYTES = 64 * 1_024 * 1_024;
/** Milliseconds its body may take. */
const ANSWER_MS = 30_000;

/** The daemon's no: a status that is not 2xx, with the sentence it gave. */
export class Refused extends Failure {
  override readonly name = 'Refused';
  readonly status: number;
  readonly diagnostics: readonly Diagnostic[];

  constructor(answer: Pick<Answer, 'status' | 'headers'>, body: unknown) {
    const problem = problemOf(body);
    const diagnostics = listOf(isDiagnostic)(problem.diagnostics) ? problem.diagnostics : [];
    const code = diagnostics.length > 0 ? exitCode.no : exitCodeOfStatus(answer.status);
    const field = Object.keys(problem.errors ?? {})[0];
    super(wordOf(answer.status), code, messageOf(answer, problem), {
      ...(field !== undefined && { field }),
      ...hintOf(answer),
    });
    this.status = answer.status;
    this.diagnostics = diagnostics;
  }
}

/** Something answered, and it is no hydrant daemon: a proxy's login page, another service on that port. */
export class NotHydrant extends Failure {
  override readonly name = 'NotHydrant';

  constructor(target: Target, what: string) {
    const at = target.kind === 'socket' ? target.path : target.url;
    super('not_hydrant', exitCode.unreachable, `${at} does not answer like a hydrant daemon: ${what}`, {
      hint: 'check --url or HYDRANT_URL; the address is that of the daemon, without /v1',
    });
  }
}

/** The whole body as JSON; an empty one is `{}`. @throws {NotHydrant} */
export async function readAnswer(answer: Answer, target: Target): Promise<object> {
  const text = await readText(answer, target);
  if (text.trim() === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Falls through: what it is instead is told by its status and type.
  }
  const type = answer.headers['content-type'] ?? 'no content type';
  throw new NotHydrant(target, `status ${answer.status}, ${type}`);
}

async function readText({ body }: Answer, target: Target): Promise<string> {
  const deadline = setTimeout(() => body.destroy(new Error('the answer took too long')), ANSWER_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES) throw new NotHydrant(target, `more than ${ANSWER_BYTES} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure || isAbort(error) ? error : new Unreachable(target, error);
  } finally {
    clearTimeout(deadline);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function problemOf(body: unknown): Partial<ProblemBody> {
  return typeof body === 'object' && body !== null ? body : {};
}

function messageOf(answer: Pick<Answer, 'status' | 'headers'>, problem: Partial<ProblemBody>): string {
  if (typeof problem.message === 'string' && problem.message !== '') return problem.message;
  const location = answer.headers['location'];
  if (answer.status >= 300 && answer.status < 400) return `the address redirects to ${location ?? 'nowhere'}`;
  return `the daemon answered ${answer.status}`;
}

function hintOf({ status }: Pick<Answer, 'status'>): { hint?: string } {
  if (status === 401) return { hint: "on the daemon's machine: hydrant key list, hydrant tap token <tap>" };
  if (status >= 300 && status < 400) return { hint: 'give that address with --url' };
  if (status === 500) return { hint: "this is a bug; the daemon's log has the details" };
  return {};
}

const words: Readonly<Record<number, string>> = {
  401: 'unauthenticated',
  402: 'out_of_credit',
  403: 'forbidden',
  404: 'not_found',
  422: 'refused',
  429: 'too_many_requests',
  503: 'unavailable',
};

function wordOf(status: number): string {
  return words[status] ?? `status_${status}`;
}
