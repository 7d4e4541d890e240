import { isIP, type LookupFunction, Socket } from 'node:net';
import { callbackify } from 'node:util';
import tunnelThrough from 'undici/lib/api/api-connect.js';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import { type AddressGuard, bareHost, explainRefusal } from './address-guard.ts';
import { FetchProblem } from './fetched.ts';
import type { Resolve, ResolvedAddress } from './names.ts';
import { StartFailure } from '../start-failure.ts';

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

/** The way to the web: through the proxy of the settings where there is one, else directly. */
export function connectorFor({
  guard,
  resolve,
  proxy,
}: {
  readonly guard: AddressChecker;
  readonly resolve: Resolve;
  readonly proxy: string | undefined;
}): Connect {
  return proxy === undefined ? guardedConnector(guard, resolve) : proxiedConnector(parseProxy(proxy), guard, resolve);
}

/**
 * One connector (and one cache of TLS sessions) for all; each use with the signal that ends it, and with the
 * callback that gets the socket and the address that it leads to.
 */
export type Connect = (
  signal: AbortSignal,
  onConnected: (socket: Socket, address: string) => void,
) => buildConnector.connector;

type AddressChecker = Pick<AddressGuard, 'check'>;

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
const ADDRESSES_TRIED = 4;
/** Until the next address is tried. Node's own 250 ms gives up on hosts that are merely far away. */
const ATTEMPT_MS = 1_000;

function refused(subject: string, address: string, guard: AddressChecker): FetchProblem | undefined {
  const verdict = guard.check(address);
  return verdict.allowed ? undefined : new FetchProblem('private_address', explainRefusal(subject, verdict));
}

/** The proxy of the settings, taken apart so that its password stays out of every message. */
interface Proxy {
  readonly origin: string;
  readonly host: string;
  /** The Proxy-Authorization header; undefined where nobody has to log in. */
  readonly authorization: string | undefined;
}

/** `http://[user:password@]host:port`. Throws a StartFailure for anything else, which does not repeat it. */
export function parseProxy(text: string): Proxy {
  const proxy = proxyOf(text);
  if (proxy) return proxy;
  throw new StartFailure('configuration', 'crawl-proxy: not a proxy; write it as http://user:password@host:3128');
}

/** Undefined for anything but `http://[user:password@]host:port`. */
export function proxyOf(text: string): Proxy | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return undefined;
  }
  return { origin: url.origin, host: url.host, authorization: authorizationOf(url) };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const plain = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`);
  return `Basic ${plain.toString('base64')}`;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Connections through a proxy, by CONNECT for `http` and `https` alike. Names are looked up here and judged by the
 * guard, and the proxy is given an address and not the name: else it would look the name up again, and might be told
 * another address (DNS rebinding). The proxy's own address is the operator's word and is not judged.
 */
export function proxiedConnector(proxy: Proxy, guard: AddressChecker, resolve: Resolve): Connect {
  const secure = buildConnector({ timeout: CONNECT_MS, allowH2: false });
  const connect = async (options: buildConnector.Options, signal: AbortSignal): Promise<Tunnel> => {
    const addresses = await allowedAddresses(bareHost(options.hostname), guard, resolve);
    const port = options.port === '' ? `${USUAL_PORTS[options.protocol]}` : options.port;
    const found = await tunnel(proxy, addresses.slice(0, ADDRESSES_TRIED), port, signal);
    if (options.protocol !== 'https:') return found;
    const hangUp = (): void => void found.socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', hangUp, { once: true });
    const socket = await encrypted(secure, { ...options, httpSocket: found.socket });
    signal.removeEventListener('abort', hangUp);
    return { socket, address: found.address };
  };
  return (signal, onConnected) => (options, callback) => {
    callbackify(connect)(options, signal, (error, tunnel) => {
      if (error) {
        callback(signal.aborted ? (signal.reason as Error) : error, null);
        return;
      }
      onConnected(tunnel.socket, tunnel.address);
      callback(null, tunnel.socket);
    });
  };
}

interface Tunnel {
  readonly socket: Socket;
  /** That the proxy was asked to connect to. */
  readonly address: string;
}

function encrypted(secure: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    secure(options, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
  });
}

const USUAL_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Through to the first address that the proxy reaches. */
async function tunnel(
  proxy: Proxy,
  addresses: readonly ResolvedAddress[],
  port: string,
  signal: AbortSignal,
): Promise<Tunnel> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  let problem = new FetchProblem('connect', `the proxy ${proxy.host} received no address`);
  for (const { address } of addresses) {
    const answer = await ask(proxy, isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`, deadline);
    if (!(answer instanceof FetchProblem)) return { socket: answer, address };
    problem = answer;
  }
  throw problem;
}

async function ask(proxy: Proxy, target: string, signal: AbortSignal): Promise<Socket | FetchProblem> {
  const client = new Client(proxy.origin, { connect: { timeout: CONNECT_MS, allowH2: false }, allowH2: false });
  const login = proxy.authorization === undefined ? [] : ['proxy-authorization', proxy.authorization];
  const hangUp = (): void => void client.destroy();
  signal.addEventListener('abort', hangUp, { once: true });
  try {
    signal.throwIfAborted();
    const asked = { path: target, headers: ['host', target, ...login] };
    const { socket, statusCode } = await tunnelThrough.call(client, asked);
    if (statusCode >= 200 && statusCode < 300) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    return new FetchProblem('connect', `the proxy ${proxy.host} answered ${statusCode} when asked for ${target}`);
  } catch {
    // Whatever went wrong, it did not go wrong with the page. Messages of the proxy may quote our own header.
    return new FetchProblem('connect', `the proxy ${proxy.host} cannot be reached`);
  } finally {
    signal.removeEventListener('abort', hangUp);
    // The socket of a tunnel is the client's no longer.
    void client.destroy();
  }
}
