import { describe, expect, test } from 'vitest';
import { FetchProblem } from '../../../src/daemon/fetch/fetched.ts';
import { networkProblem } from '../../../src/daemon/fetch/network-error.ts';

const url = new URL('https://a.example:8443/page');
const coded = (code: unknown): Error => Object.assign(new Error('bytes of a stranger: \u001b[2J'), { code });

describe('network errors', () => {
  test.each([
    ['ENOTFOUND', 'dns', 'no address for a.example'],
    ['EAI_AGAIN', 'dns', 'no name server answered for a.example'],
    ['EAI_FAIL', 'dns', 'the look-up of a.example failed (EAI_FAIL)'],
    ['ECONNREFUSED', 'connect', 'a.example:8443 refused the connection'],
    ['EHOSTUNREACH', 'connect', 'a.example:8443 cannot be reached (EHOSTUNREACH)'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'no connection to a.example:8443 within 5 s, look-up included'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'a.example:8443 sent no complete headers within 10 s'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'a.example:8443 sent nothing more for 10 s'],
    ['UND_ERR_HEADERS_OVERFLOW', 'too_large', 'the response headers are larger than 32 KiB'],
    ['ECONNRESET', 'reset', 'a.example:8443 closed the connection before its answer was complete'],
    ['CERT_HAS_EXPIRED', 'tls', 'the certificate of a.example has expired'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'no TLS connection with a.example (ERR_SSL_WRONG_VERSION_NUMBER)'],
    ['HPE_INVALID_CONSTANT', 'undecodable', 'the answer of a.example:8443 is not HTTP/1.1'],
    ['UND_ERR_SOMETHING_NEW', 'reset', 'the connection to a.example:8443 failed (UND_ERR_SOMETHING_NEW)'],
  ])('%s is %s: %s', (code, reason, message) => {
    expect(networkProblem(coded(code), url)).toMatchObject({ reason, message });
  });

  test('a problem with words of its own keeps them', () => {
    const problem = new FetchProblem('empty', 'nothing there');
    expect(networkProblem(problem, url)).toBe(problem);
  });

  test('an error without a code is a bug of ours, and is left to be thrown', () => {
    for (const error of [new TypeError('x is not a function'), coded(7), coded('two words'), 'text', undefined]) {
      expect(networkProblem(error, url)).toBeUndefined();
    }
  });
});
