import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { VIEW_FORM_BYTES, VIEW_SESSION_SECONDS } from '../../shared/limits.ts';

/*
 * What holds strangers off, whatever a screen does.
 */

/**
 * Nothing is loaded, sent or framed but from here and by this, and no script runs that is not a file of ours: mark-up that got
 * into a page all the same could do nothing. `same-origin`, and not `no-referrer`, with which a browser sends `Origin: null`
 * with a form.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const;

/** Of every answer below `/ui`. `Cache-Control: no-store` is on all answers of the daemon: no page is kept behind a sign-out. */
export function setHeaders(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS);
  });
}

/**
 * Whether a form was sent by a page of ours. A browser names the page's origin with each POST, and no page can make it say
 * otherwise; who sends none is no browser that has a session. The scheme is compared where we know it: behind a proxy that
 * speaks TLS for us, the request has come without.
 */
export function isOfOurs({ headers, host, protocol }: FastifyRequest): boolean {
  const origin = URL.parse(headers.origin ?? '');
  if (origin === null || origin.host !== URL.parse(`${origin.protocol}//${host}`)?.host) return false;
  return protocol !== 'https' || origin.protocol === 'https:';
}

/** Forms are read as forms, whatever they are called: bodies below `/ui` have no other format. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: VIEW_FORM_BYTES } as const;
  scope.addContentTypeParser('*', options, async (_request: FastifyRequest, text: string) => new URLSearchParams(text));
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/**
 * The session's cookie. Cookies of one host are the same for all of its ports: each daemon has one of its own name. Over TLS
 * the name has the prefix that keeps a neighbouring host from setting it.
 */
export class SessionCookie {
  #port = '';

  /** @param publicUrl where the daemon listens */
  nameFor(publicUrl: string): void {
    this.#port = new URL(publicUrl).port;
  }

  read(request: FastifyRequest): string | undefined {
    const name = this.#name(request);
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = pair.split('=', 2);
      if (key.trim() === name) return value.trim();
    }
    return undefined;
  }

  set(request: FastifyRequest, reply: FastifyReply, token: string): void {
    void reply.header(
      'set-cookie',
      `${this.#name(request)}=${token}; Max-Age=${VIEW_SESSION_SECONDS.most}; ${attributes(request)}`,
    );
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    void reply.header('set-cookie', `${this.#name(request)}=; Max-Age=0; ${attributes(request)}`);
  }

  #name({ protocol }: FastifyRequest): string {
    return `${protocol === 'https' ? '__Host-' : ''}hydrant-${this.#port}`;
  }
}

function attributes({ protocol }: FastifyRequest): string {
  const common = 'HttpOnly; SameSite=Strict';
  return protocol === 'https' ? `Path=/; Secure; ${common}` : `Path=/ui; ${common}`;
}
