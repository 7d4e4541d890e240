import errors from 'undici/lib/core/errors.js';
import { CONNECT_MS } from './connector.ts';
import { FetchProblem, type FetchFailureReason } from './fetched.ts';

/** Milliseconds until the response headers are complete, and between two pieces of the body. */
export const HEADERS_MS = 10_000;
export const IDLE_MS = 10_000;
/** Bytes of response headers: twice what common servers send at most; more is an attack on our memory. */
export const HEADER_BYTES = 32 * 1_024;

/**
 * What a network error means, in a word and a sentence. Errors of Node, undici, TLS and zlib all carry a `code`; one
 * without is a bug of ours and is given back as undefined, to be thrown on. Messages are never passed on: some quote
 * certificates or response bytes. `hasHead`: the head of an answer was read before.
 */
export function networkProblem(error: unknown, url: URL, hasHead = true): FetchProblem | undefined {
  if (error instanceof FetchProblem) return error;
  const code = parserCode(error, hasHead) ?? codeOf(error);
  if (code === undefined) return undefined;
  const known = KNOWN[code] ?? patternOf(code);
  return new FetchProblem(known[0], known[1](url, code), code === 'ECONNREFUSED' ? { isRefused: true } : {});
}

type Explanation = readonly [FetchFailureReason, (url: URL, code: string) => string];

const noAddress: Explanation = ['dns', (url) => `no address for ${url.hostname}`];
const reset: Explanation = ['reset', (url) => `${url.host} closed the connection before its answer was complete`];
const unreachable: Explanation = ['connect', (url, code) => `${url.host} cannot be reached (${code})`];
const certificate = (what: string): Explanation => ['tls', (url) => `the certificate of ${url.hostname} ${what}`];
const unknownIssuer = certificate('is not signed by an authority that this machine trusts');

const KNOWN: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: noAddress,
  ENODATA: noAddress,
  EAI_AGAIN: ['dns', (url) => `no name server answered for ${url.hostname}`],
  ECONNREFUSED: ['connect', (url) => `${url.host} refused the connection`],
  UND_ERR_CONNECT_TIMEOUT: [
    'timeout',
    (url) => `no connection to ${url.host} within ${seconds(CONNECT_MS)}, look-up included`,
  ],
  ETIMEDOUT: ['timeout', (url) => `${url.host} stopped answering`],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', (url) => `${url.host} sent no complete headers within ${seconds(HEADERS_MS)}`],
  UND_ERR_BODY_TIMEOUT: ['timeout', (url) => `${url.host} sent nothing more for ${seconds(IDLE_MS)}`],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', () => `the response headers are larger than ${HEADER_BYTES / 1_024} KiB`],
  UND_ERR_SOCKET: reset,
  ECONNRESET: reset,
  EPIPE: reset,
  HPE_INVALID_EOF_STATE: reset,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reset,
  ECONNABORTED: reset,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate('is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: certificate('has expired'),
  CERT_NOT_YET_VALID: certificate('is not valid yet'),
  CERT_REVOKED: certificate('is revoked'),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate('is for other names'),
};

function patternOf(code: string): Explanation {
  if (/^(?:EAI_|ENO(?:NAME|DATA)|ESERVFAIL|EREFUSED|EBADRESP)/.test(code)) {
    return ['dns', (url) => `the look-up of ${url.hostname} failed (${code})`];
  }
  if (/^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|ERR_OSSL)/.test(code)) {
    return ['tls', (url) => `no TLS connection with ${url.hostname} (${code})`];
  }
  if (code.startsWith('HPE')) return ['undecodable', (url) => `the answer of ${url.host} is not HTTP/1.1`];
  return /^E(?:HOST|NET|ADDR|ACCES|PERM|INVAL|MFILE)/.test(code) ? unreachable : failed;
}

const failed: Explanation = ['reset', (url, code) => `the connection to ${url.host} failed (${code})`];

export function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}

/**
 * Of what the parser refuses: undici's errors for it come without a code, as that of a body that ends before its last chunk, or
 * with the code of another thing. Undefined: it was not the parser.
 */
function parserCode(error: unknown, hasHead: boolean): string | undefined {
  if (error instanceof errors.HTTPParserError) {
    return error.message.includes('Invalid EOF state') ? 'HPE_INVALID_EOF_STATE' : 'HPE';
  }
  if (error instanceof errors.SocketError && UNASKED.has(error.message)) return 'HPE';
  // Whatever is wrong with a head whose length came before it: there is no body yet that could be too short.
  return error instanceof errors.ResponseContentLengthMismatchError && !hasHead ? 'HPE' : undefined;
}

/** `100` and `101`, which nobody has asked for. */
const UNASKED: ReadonlySet<string> = new Set(['bad response', 'bad upgrade']);

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z0-9_]+$/.test(error.code) ? error.code : undefined;
}
