import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { explainRefusal, type AddressGuard } from './address-guard.ts';
import { FetchProblem } from './fetch-problem.ts';
import { bareHost } from './url-gate.ts';

/** All addresses of a host. Rejects, or answers with none, for a name that has none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** The system's resolver, so that /etc/hosts, search domains and split DNS hold for the crawl too. */
export const systemResolve: Resolve = (hostname) => systemLookup(hostname, { all: true });

/** Milliseconds for look-up, TCP and TLS together. */
export const CONNECT_MS = 5_000;

/**
 * Makes connections to addresses the guard allows, and to no others. The check sits here, at the last moment, on the
 * address that is connected to: a name checked earlier may have another address by now (DNS rebinding). Three places,
 * because each is blind where another sees: a literal is never looked up; a look-up is not the connection; the peer
 * is known only when the handshake is over.
 */
export function guardedConnector(guard: AddressChecker, resolve: Resolve): AbortableConnector {
  const connect = buildConnector({
    lookup: guardedLookup(guard, resolve),
    timeout: CONNECT_MS,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    allowH2: false,
  });
  return (signal, onReset) => (options, callback) => {
    const host = bareHost(options.hostname);
    const literal = isIP(host) === 0 ? undefined : refused(`${host} is not a public address`, host, guard);
    if (literal) {
      callback(literal, null);
      return;
    }
    const hangUp = (): void => void (socket instanceof Socket && socket.destroy(signal.reason));
    const socket: unknown = connect(options, (...[error, connected]) => {
      signal.removeEventListener('abort', hangUp);
      if (error) {
        callback(error, null);
        return;
      }
      noteReset(connected, onReset);
      handOver(connected, host, guard, callback);
    });
    // Without this, a host that never finishes its handshake would keep the socket for as long as a connect may take.
    signal.addEventListener('abort', hangUp, { once: true });
  };
}

/**
 * One connector (and one cache of TLS sessions) for all; each use with the signal that ends it, and with who is told
 * that the connection was reset.
 */
export type AbortableConnector = (signal: AbortSignal, onReset: (error: Error) => void) => buildConnector.connector;

type AddressChecker = Pick<AddressGuard, 'check'>;

/** undici takes a reset for the end of a body that has no length, and says nothing. */
function noteReset(socket: Socket, onReset: (error: Error) => void): void {
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') onReset(error);
  });
}

function handOver(socket: Socket, host: string, guard: AddressChecker, callback: buildConnector.Callback): void {
  const problem = peerProblem(socket.remoteAddress, host, guard);
  if (!problem) {
    callback(null, socket);
    return;
  }
  socket.destroy();
  callback(problem, null);
}

/** A peer that has already hung up has no address any more. */
function peerProblem(peer: string | undefined, host: string, guard: AddressChecker): FetchProblem | undefined {
  if (peer === undefined) return new FetchProblem('reset', `${host} closed the connection at once`);
  return refused(`${host} turned out to be ${peer}`, peer, guard);
}

function guardedLookup(guard: AddressChecker, resolve: Resolve): LookupFunction {
  const lookup = callbackify((hostname: string) => allowedAddresses(hostname, guard, resolve));
  return (hostname, options, callback) => {
    lookup(hostname, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (error || !first) callback(error, []);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** One private address among public ones is an attack or a misconfiguration; either way the name is not followed. */
async function allowedAddresses(
  hostname: string,
  guard: AddressChecker,
  resolve: Resolve,
): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw new FetchProblem('dns', `no address for ${hostname}`);
  for (const { address } of addresses) {
    const problem = refused(`${hostname} resolves to ${address}`, address, guard);
    if (problem) throw problem;
  }
  return addresses.slice(0, ADDRESSES_TRIED);
}

/** A name may have thousands of addresses, and each one that does not answer costs its share of the time. */
const ADDRESSES_TRIED = 4;
/** Until the next address is tried. Node's own 250 ms gives up on hosts that are merely far away. */
const ATTEMPT_MS = 1_000;

function refused(subject: string, address: string, guard: AddressChecker): FetchProblem | undefined {
  const verdict = guard.check(address);
  return verdict.allowed ? undefined : new FetchProblem('private_address', explainRefusal(subject, verdict));
}
