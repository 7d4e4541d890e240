import type { Seal } from '../accounts/keys.ts';
import { proxyOf } from '../fetch/connector.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import { commandFault, programOf, wordsOf } from '../process/command.ts';
import type { StoredRequest } from '../storage/stored-request.ts';
import type { RequestChange, RequestReport } from '../../shared/api/own-request.ts';
import { OWN_HEADERS, OWN_HEADERS_LENGTH } from '../../shared/limits.ts';
import { checkedHeaders } from '../../shared/api/header-lines.ts';

/**
 * What an operator has set for the requests of a page, from his words to what is kept: checked, sealed as a whole, and shown by
 * the names of its headers alone.
 */
export class OwnRequests {
  readonly #seal: Seal;
  readonly #outside: Pick<Outside, 'randomBytes'>;

  constructor(seal: Seal, outside: Pick<Outside, 'randomBytes'>) {
    this.#seal = seal;
    this.#outside = outside;
  }

  /**
   * With what is changed of it; undefined where nothing is left of it.
   * @throws {Problem} `invalid_field`, which names the part, and repeats none of its secrets
   */
  changed(former: StoredRequest | undefined, change: RequestChange): StoredRequest | undefined {
    const before = former ? this.#openedOrNone(former, change) : NOTHING;
    const after = merged(before, change);
    check(after);
    if (isNothing(after)) return undefined;
    const isSame = former !== undefined && identityOf(before) === identityOf(after);
    return {
      shown: reportOf(after),
      sealed: this.#seal.seal(JSON.stringify(after)),
      version: isSame ? former.version : Buffer.from(this.#outside.randomBytes(8)).toString('hex'),
    };
  }

  /** @throws {Error} where it was sealed with the secret of another instance */
  opened({ sealed }: StoredRequest): RequestTerms {
    return JSON.parse(this.#seal.open(sealed)) as RequestTerms;
  }

  /** What cannot be opened can be replaced, or taken away: it is of no use to anybody. */
  #openedOrNone(former: StoredRequest, change: RequestChange): RequestTerms {
    try {
      return this.opened(former);
    } catch {
      const kept = former.shown.headers.filter(
        (name) => change.headers !== null && change.headers?.[name] === undefined,
      );
      if (kept.length > 0)
        refuse('headers', `cannot be kept: ${UNSEALABLE}; set all of them again: ${kept.join(', ')}`);
      return NOTHING;
    }
  }
}

/** Follows a colon. */
export const UNSEALABLE =
  'they were sealed with another file `secret` than that of the data directory, and nobody can read them';

/** In clear. */
export interface RequestTerms {
  readonly method: 'GET' | 'POST' | null;
  /** By their names, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly headersFrom: string | null;
  readonly proxy: string | null;
  readonly userAgent: string | null;
  readonly timeoutSeconds: number | null;
}

const NOTHING: RequestTerms = {
  method: null,
  headers: {},
  body: null,
  headersFrom: null,
  proxy: null,
  userAgent: null,
  timeoutSeconds: null,
};

function isNothing({ headers, ...others }: RequestTerms): boolean {
  return Object.keys(headers).length === 0 && Object.values(others).every((value) => value === null);
}

/** A body is sent with POST, unless the method is given. */
export function methodOf({ method, body }: RequestTerms): 'GET' | 'POST' {
  return method ?? (body === null ? 'GET' : 'POST');
}

function merged(before: RequestTerms, change: RequestChange): RequestTerms {
  const {
    method = before.method,
    body = before.body,
    proxy = before.proxy,
    headers_from: from = before.headersFrom,
  } = change;
  const { user_agent: userAgent = before.userAgent, timeout_seconds: timeoutSeconds = before.timeoutSeconds } = change;
  return {
    // A method by itself says nothing: it goes with the body that it was for.
    method: method === 'GET' && body === null ? null : method,
    headers: mergedHeaders(before.headers, change.headers),
    body,
    headersFrom: from === '' ? null : from,
    proxy: proxy === '' ? null : proxy,
    userAgent: userAgent === '' ? null : userAgent,
    timeoutSeconds,
  };
}

function mergedHeaders(before: RequestTerms['headers'], change: RequestChange['headers']): RequestTerms['headers'] {
  if (change === null) return {};
  const headers = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(change ?? {})) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value.trim());
  }
  return Object.fromEntries(headers);
}

function check(terms: RequestTerms): void {
  const { method, headers, body, headersFrom, proxy, userAgent } = terms;
  const count = Object.keys(headers).length;
  const length = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (count > OWN_HEADERS) refuse('headers', `are ${count}, and ${OWN_HEADERS} are the most`);
  if (length > OWN_HEADERS_LENGTH) refuse('headers', `have more than ${OWN_HEADERS_LENGTH} characters together`);
  const fault =
    checkedHeaders(headers) ?? (userAgent === null ? undefined : checkedHeaders({ 'user-agent': userAgent }));
  if (fault !== undefined) refuse('headers', fault);
  if (method === 'GET' && body !== null)
    refuse('body', 'cannot be sent with GET: leave the method out, or make it POST');
  const wrong = headersFrom === null ? undefined : commandFault(headersFrom);
  if (wrong !== undefined) refuse('headers_from', wrong);
  if (proxy !== null && !proxyOf(proxy)) refuse('proxy', 'is not a proxy: write it as http://user:password@host:3128');
}

function refuse(field: string, message: string): never {
  throw new Problem('invalid_field', { field: `request.${field}`, message: `The request.${field} field ${message}.` });
}

/** What may make another page of it: everything but the values of headers and the time. */
function identityOf({ headers, timeoutSeconds: _timeout, ...others }: RequestTerms): string {
  return JSON.stringify({ ...others, headers: Object.keys(headers).sort() });
}

function reportOf(terms: RequestTerms): RequestReport {
  const argv = terms.headersFrom === null ? undefined : wordsOf(terms.headersFrom);
  return {
    method: methodOf(terms),
    headers: Object.keys(terms.headers).sort(),
    body_bytes: terms.body === null ? null : Buffer.byteLength(terms.body),
    headers_from: argv ? programOf({ argv }) : null,
    proxy: terms.proxy === null ? null : (proxyOf(terms.proxy)?.origin ?? null),
    user_agent: terms.userAgent,
    timeout_seconds: terms.timeoutSeconds,
  };
}
