import { Seal } from './accounts/keys.ts';
import type { Fetched } from './fetch/fetched.ts';
import type { OwnRequest } from './fetch/own-request.ts';
import { outside } from './outside.ts';
import { Problem } from './problem.ts';
import { passedOn } from './process/command.ts';
import { OwnRequests } from './requests/own-requests.ts';
import { isSignedOut, type SignIn, type SignInFailure, SignIns } from './requests/sign-ins.ts';
import type { RequestChange } from '../shared/api/own-request.ts';

/**
 * One page as a watch with this request would be answered, for a person who tries it: `hydrant watch try --cookie @file`. By the
 * code that the daemon uses: sealed with a key that nobody keeps, and opened again.
 */
export async function fetchSignedIn(
  url: string,
  { request, fetch }: OnceSigning,
  signal: AbortSignal,
): Promise<Fetched | NotAsked> {
  const sign = await signInOf(url, request, signal);
  if (sign && 'reason' in sign) return { outcome: 'failed', ...sign };
  const fetched = await fetch(sign?.own);
  return sign?.isSignedIn === true && isSignedOut(fetched) ? { ...fetched, reason: 'signed_out' } : fetched;
}

export interface OnceRequest {
  readonly change: RequestChange;
  /** Of a program that prints headers. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface OnceSigning {
  readonly request: OnceRequest;
  readonly fetch: (own?: OwnRequest) => Promise<Fetched>;
}

/** There is nothing to ask with: a word, and a sentence. */
export interface NotAsked {
  readonly outcome: 'failed';
  readonly reason: SignInFailure['reason'] | 'request';
  readonly detail: string;
}

async function signInOf(
  url: string,
  { change, environment }: OnceRequest,
  signal: AbortSignal,
): Promise<SignIn | Omit<NotAsked, 'outcome'> | undefined> {
  const seal = new Seal(outside.randomBytes(KEY_BYTES), outside, 'hydrant try');
  const requests = new OwnRequests(seal, outside);
  try {
    const request = requests.changed(undefined, change);
    return request && (await new SignIns(requests, passedOn(environment)).of({ id: url, url, request }, signal));
  } catch (error) {
    if (!(error instanceof Problem) || !('message' in error.facts)) throw error;
    return { reason: 'request', detail: String(error.facts.message) };
  }
}

const KEY_BYTES = 32;
