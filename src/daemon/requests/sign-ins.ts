import type { Fetched, FetchFailure } from '../fetch/fetched.ts';
import type { OwnRequest } from '../fetch/own-request.ts';
import { CommandProblem, programOf, runCommand, wordsOf } from '../process/command.ts';
import type { StoredRequest } from '../storage/stored-request.ts';
import {
  HEADER_COMMAND_BYTES,
  HEADER_COMMAND_MS,
  HEADER_COMMANDS,
  HEADER_COMMANDS_REMEMBERED,
} from '../../shared/limits.ts';
import { headersIn } from '../../shared/api/header-lines.ts';
import { methodOf, type OwnRequests, type RequestTerms, UNSEALABLE } from './own-requests.ts';

/** Whether a server does not take who asks for who may: whoever is let in is answered otherwise. */
export function isSignedOut(fetched: Fetched): fetched is FetchFailure {
  if (fetched.outcome !== 'failed' || fetched.reason !== 'status') return false;
  return fetched.answer?.status === 401 || fetched.answer?.status === 403;
}

/** Whose request it is: a watch or a source, and the URL that its secrets are for. */
export interface Signing {
  readonly id: string;
  readonly url: string;
  readonly request: StoredRequest;
}

/** There is nothing to ask with: a word, and a sentence for the operator. */
export interface SignInFailure {
  readonly reason: 'headers_from' | 'sealed';
  readonly detail: string;
}

/** What is sent for a page, and what became of it: `expired` once the server no longer takes it. */
export interface SignIn {
  readonly own: OwnRequest;
  /** Whether it has headers, a body or a command: that somebody who is signed in asks. */
  readonly isSignedIn: boolean;
  /**
   * The server answered 401 or 403, or with a page to sign in. Whether it is worth asking again at once, because the headers were
   * made by a command earlier, and are made anew now.
   */
  expired(): boolean;
}

/**
 * Opens what is set for a page as it is about to be asked for, and has a command of the operator's make its headers where there is
 * one: once, until they no longer let in. What it printed is remembered in memory alone. Commands run a few at a time.
 */
export class SignIns {
  readonly #requests: Pick<OwnRequests, 'opened'>;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #made = new Map<string, Made>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** `environment`: of the commands, as `passedOn` gives it. */
  constructor(requests: Pick<OwnRequests, 'opened'>, environment: Readonly<Record<string, string>>) {
    this.#requests = requests;
    this.#environment = environment;
  }

  /** @throws the reason of the signal */
  async of(signing: Signing, signal: AbortSignal): Promise<SignIn | SignInFailure> {
    let terms: RequestTerms;
    try {
      terms = this.#requests.opened(signing.request);
    } catch {
      return {
        reason: 'sealed',
        detail: `the headers that it signs in with cannot be used: ${UNSEALABLE}; set them again`,
      };
    }
    const made = terms.headersFrom === null ? undefined : await this.#headersOf(signing, terms.headersFrom, signal);
    if (made && 'reason' in made) return made;
    const { id } = signing;
    return {
      own: ownRequest(signing.url, terms, made?.headers),
      isSignedIn: terms.headersFrom !== null || terms.body !== null || Object.keys(terms.headers).length > 0,
      expired: () => {
        this.#made.delete(id);
        return made?.isRemembered === true;
      },
    };
  }

  async #headersOf(
    { id, request }: Signing,
    command: string,
    signal: AbortSignal,
  ): Promise<SignInFailure | Remembered> {
    const known = this.#made.get(id);
    if (known?.sealed === request.sealed) return { headers: known.headers, isRemembered: true };
    const headers = await this.#run(command, signal);
    if (typeof headers === 'string') return { reason: 'headers_from', detail: headers };
    this.#made.delete(id);
    this.#made.set(id, { sealed: request.sealed, headers });
    const [oldest] = this.#made.keys();
    if (this.#made.size > HEADER_COMMANDS_REMEMBERED && oldest !== undefined) this.#made.delete(oldest);
    return { headers, isRemembered: false };
  }

  /** The headers that it prints, or why there are none: a sentence without a word of what it printed. */
  async #run(command: string, signal: AbortSignal): Promise<Readonly<Record<string, string>> | string> {
    const argv = wordsOf(command);
    if (!argv) return 'the command that makes headers is none';
    const name = programOf({ argv });
    await this.#place();
    const overdue = new CommandProblem(`${name} did not end within ${HEADER_COMMAND_MS / 1_000} s`);
    const end = new AbortController();
    const stop = (): void => end.abort(signal.reason);
    const timer = setTimeout(() => end.abort(overdue), HEADER_COMMAND_MS);
    signal.addEventListener('abort', stop, { once: true });
    const terms = { environment: this.#environment, mostBytes: HEADER_COMMAND_BYTES + 1, isOutputAlone: true };
    try {
      signal.throwIfAborted();
      const { code, output } = await runCommand({ argv, env: {}, input: '' }, terms, end.signal);
      if (code !== 0)
        return `${name} ended with ${code === null ? 'a signal' : `exit code ${code}`}; run it by hand to see why`;
      if (Buffer.byteLength(output) > HEADER_COMMAND_BYTES)
        return `${name} printed more than ${HEADER_COMMAND_BYTES} bytes`;
      const headers = headersIn(output);
      return typeof headers === 'string' ? `${name}: ${headers}` : headers;
    } catch (error) {
      if (error instanceof CommandProblem) return error.message;
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** A check that is called off runs nothing, and holds its place for no longer than it takes to say so. */
  async #place(): Promise<void> {
    while (this.#running >= HEADER_COMMANDS) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
  }
}

interface Made {
  /** Of the request that it was made for: another one needs its own. */
  readonly sealed: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Remembered extends Pick<Made, 'headers'> {
  readonly isRemembered: boolean;
}

function ownRequest(url: string, terms: RequestTerms, made: Made['headers'] = {}): OwnRequest {
  const { body, headers, proxy, userAgent, timeoutSeconds } = terms;
  return {
    origin: new URL(url).origin,
    headers: { ...(body !== null && { 'content-type': typeOf(body) }), ...headers, ...made },
    method: methodOf(terms),
    body: body ?? undefined,
    proxy: proxy ?? undefined,
    userAgent: userAgent ?? undefined,
    timeoutMs: timeoutSeconds === null ? undefined : timeoutSeconds * 1_000,
  };
}

/** What a body is where no header says so: JSON, or as a form sends it. */
function typeOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return 'application/json';
  } catch {
    // It is no JSON.
  }
  return 'application/x-www-form-urlencoded';
}
