import { isIP, type LookupFunction, Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { type AddressGuard, explainRefusal } from './address-guard.ts';
import { FetchProblem } from './fetched.ts';
import type { Resolve, ResolvedAddress } from './names.ts';
import { bareHost } from './url-gate.ts';

/** Milliseconds for look-up, TCP and TLS together. */
export const CONNECT_MS = 5_000;

/**
 * Makes connections to addresses the guard allows, and to no others. The check sits here, at the last moment, on the
 * address that is connected to: a name checked earlier may have another address by now (DNS rebinding). Three places,
 * because each is blind where another sees: a literal is never looked up; a look-up is not the connection; the peer
 * is known only when the handshake is over.
 */
export function guardedConnector(guard: AddressChecker, resolve: Resolve): Connect {
  const connect = buildConnector({
    lookup: guardedLookup(guard, resolve),
    timeout: CONNECT_MS,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    allowH2: false,
  });
  return (signal, onConnected) => (options, callback) => {
    const host = bareHost(options.hostname);
    const literal = isIP(host) === 0 ? undefined : refused(`${host} is not a public address`, host, guard);
    if (literal) {
      callback(literal, null);
      return;
    }
    const hangUp = (): void => void (socket instanceof Socket && socket.destroy(signal.reason));
    const socket: unknown = connect(options, (...[error, connected]) => {
      signal.removeEventListener('abort', hangUp);
      const problem = error ?? peerProblem(connected?.remoteAddress, host, guard);
      if (problem || !connected) {
        connected?.destroy();
        callback(problem ?? new Error('no socket'), null);
        return;
      }
      onConnected(connected, connected.remoteAddress ?? '');
      callback(null, connected);
    });
    // Without this, a host that never finishes its handshake would keep the socket for as long as a connect may take.
    signal.addEventListener('abort', hangUp, { once: true });
  };
}

/**
 * One connector (and one cache of TLS sessions) for all; each use with the signal that ends it, and with the
 * callback that gets the socket and the address that it leads to.
 */
export type Connect = (
  signal: AbortSignal,
  onConnected: (socket: Socket, address: string) => void,
) => buildConnector.connector;

export type AddressChecker = Pick<AddressGuard, 'check'>;

/** A peer that has already hung up has no address any more. */
function peerProblem(peer: string | undefined, host: string, guard: AddressChecker): FetchProblem | undefined {
  if (peer === undefined) return new FetchProblem('reset', `${host} closed the connection at once`);
  return refused(`${host} turned out to be ${peer}`, peer, guard);
}

function guardedLookup(guard: AddressChecker, resolve: Resolve): LookupFunction {
  const lookup = callbackify((hostname: string) => allowedAddresses(hostname, guard, resolve));
  return (hostname, options, callback) => {
    lookup(hostname, (error, all) => {
      const [first, ...rest] = error ? [] : all.slice(0, ADDRESSES_TRIED);
      if (error || !first) callback(error, []);
      else if (options.all) callback(null, [first, ...rest]);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * All addresses of a name, or a problem: one private address among public ones is an attack or a misconfiguration;
 * either way the name is not followed. A literal is its own address.
 */
export async function allowedAddresses(
  host: string,
  guard: AddressChecker,
  resolve: Resolve,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) throw new FetchProblem('dns', `no address for ${host}`);
  for (const { address } of addresses) {
    const subject = family === 0 ? `${host} resolves to ${address}` : `${host} is not a public address`;
    const problem = refused(subject, address, guard);
    if (problem) throw problem;
  }
  return addresses;
}

/** A name may have thousands of addresses, and each one that does not answer costs its share of the time. */
export const ADDRESSES_TRIED = 4;
/** Until the next address is tried. Node's own 250 ms gives up on hosts that are merely far away. */
const ATTEMPT_MS = 1_000;

function refused(subject: string, address: string, guard: AddressChecker): FetchProblem | undefined {
  const verdict = guard.check(address);
  return verdict.allowed ? undefined : new FetchProblem('private_address', explainRefusal(subject, verdict));
}
