import type { FastifyRequest } from 'fastify';
import type { Keys, Manager, TapHolder } from '../accounts/keys.ts';
import { ORGANIZATION_HEADER } from '../../shared/daemon-notice.ts';
import type { ProblemFacts } from '../../shared/api/problem.ts';
import type { Log } from '../process/log.ts';
import { Problem } from '../problem.ts';
import type { Taps } from '../taps/taps.ts';

/** The operator, acting for the organization that the request names, or for the only one. @throws {Problem} */
export type Operator = (organization: string | undefined) => Manager;

/**
 * Authenticates requests by their Authorization header. A route requires a kind of key with one of the two hooks, which run
 * before the body is read: an unauthenticated client does not learn whether its JSON is valid. The handler then asks for the
 * principal of the same kind.
 */
export class Auth {
  readonly #keys: Keys;
  readonly #taps: Taps;
  readonly #log: Pick<Log, 'warn'>;
  readonly #operator: Operator | undefined;

  /** `operator`: the principal of a request without a key. Only for the admin socket, where file permissions authenticate. */
  constructor(deps: { keys: Keys; taps: Taps; log: Pick<Log, 'warn'>; operator?: Operator }) {
    this.#keys = deps.keys;
    this.#taps = deps.taps;
    this.#log = deps.log;
    this.#operator = deps.operator;
  }

  /** The `onRequest` of routes for management keys. */
  readonly wantManager = async (request: FastifyRequest): Promise<void> => {
    this.manager(request);
  };

  /** The `onRequest` of routes for tap tokens. */
  readonly wantTap = async (request: FastifyRequest): Promise<void> => {
    this.noteUse(this.tap(request).tapId);
  };

  /** Records that the tap was used. The answer neither waits for this nor fails with it. */
  noteUse(tapId: string): void {
    this.#taps.touch(tapId).catch((error: unknown) => {
      this.#log.warn({ err: error, tap: tapId }, 'the last use of a tap could not be recorded');
    });
  }

  /** @throws {Problem} unauthenticated */
  manager(request: FastifyRequest): Manager {
    if (this.#operator && request.headers.authorization === undefined) return this.#operator(organizationOf(request));
    const key = bearer(request);
    const manager = key === undefined ? undefined : this.#keys.authenticate(key);
    if (manager) return manager;
    throw this.#refusal('management key', key, () => this.#taps.byToken(key ?? '') !== undefined);
  }

  /** @throws {Problem} unauthenticated */
  tap(request: FastifyRequest): TapHolder {
    const token = bearer(request);
    const holder = token === undefined ? undefined : this.#taps.byToken(token);
    if (holder) return holder;
    throw this.#refusal('tap token', token, () => this.#keys.authenticate(token ?? '') !== undefined);
  }

  #refusal(
    wanted: ProblemFacts['unauthenticated']['wanted'],
    key: string | undefined,
    isOtherKind: () => boolean,
  ): Problem<'unauthenticated'> {
    if (key === undefined) return new Problem('unauthenticated', { wanted, given: 'none' });
    return new Problem('unauthenticated', { wanted, given: isOtherKind() ? 'other kind' : 'unknown' });
  }
}

/** Which organization a request of the operator's names. */
export function organizationOf({ headers }: FastifyRequest): string | undefined {
  const named = headers[ORGANIZATION_HEADER];
  if (typeof named !== 'string') return undefined;
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}

/** RFC 6750, 2.1; the scheme's name is case-insensitive (RFC 9110, 11.1). */
function bearer(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}
