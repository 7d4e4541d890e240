import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Keys } from '../accounts/keys.ts';
import { addressOf, RequestCounts } from '../http/rate-limits.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import { formOf, isOfOurs, type SessionCookie } from './guard.ts';
import { html, type Html } from './html.ts';
import { ASSETS, layout } from './layout.ts';
import type { Viewer, ViewSessions } from './sessions.ts';
import { COUNTED_CLIENTS, VIEW_SIGN_INS_A_MINUTE } from '../../shared/limits.ts';

interface SignInDeps {
  readonly sessions: ViewSessions;
  readonly cookie: SessionCookie;
  readonly keys: Pick<Keys, 'recordOf'>;
  readonly outside: Pick<Outside, 'now'>;
}

/**
 * What is open to everyone: the page to sign in, by a management key or by a link that `hydrant ui` made, and what pages load. A
 * link is a page with a button, and the button is what uses it: nobody who only looks at the address, a preview say, spends it.
 */
export function signInRoutes(scope: FastifyInstance, deps: SignInDeps): void {
  const { sessions, keys } = deps;
  const attempts = new RequestCounts(() => deps.outside.now(), COUNTED_CLIENTS);
  // Before anything is looked up: what is refused for its number says nothing of the key.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const { current, ttl } = attempts.count(addressOf(request), MINUTE_MS);
    if (current <= VIEW_SIGN_INS_A_MINUTE) return;
    const limit = { limit: VIEW_SIGN_INS_A_MINUTE, seconds: Math.ceil(ttl / 1_000) };
    throw new Problem('rate_limited', { what: '/ui/sign-in', ...limit });
  };

  scope.get('/sign-in', async (_request, reply) => show(reply, signInForm()));
  scope.post('/sign-in', { onRequest }, async (request, reply) => {
    if (!isOfOurs(request)) return show(reply.code(403), elsewhere('/ui/sign-in'));
    const key = (formOf(request).get('key') ?? '').trim();
    const record = keys.recordOf(key);
    if (record === undefined) return show(reply.code(401), signInForm('This is no management key of this daemon.'));
    return begin(request, reply, { kind: 'member', keyId: record.id }, deps);
  });

  scope.get('/enter', async (request, reply) => show(reply, enterForm(new URLSearchParams(request.url.split('?')[1]))));
  scope.post('/enter', { onRequest }, async (request, reply) => {
    if (!isOfOurs(request)) return show(reply.code(403), elsewhere('/ui/sign-in'));
    if (!sessions.useLink(formOf(request).get('code') ?? '')) {
      return show(reply.code(401), signInForm('This link was used before, or is too old. Make a new one: hydrant ui'));
    }
    return begin(request, reply, { kind: 'operator' }, deps);
  });

  for (const { path, type, bytes } of Object.values(ASSETS)) {
    scope.get(path.slice('/ui'.length), async (_request, reply) => {
      return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(bytes);
    });
  }
}

const MINUTE_MS = 60_000;

/** A session of its own for each sign-in, whatever cookie the browser came with; the one that it had is over. */
function begin(request: FastifyRequest, reply: FastifyReply, viewer: Viewer, deps: SignInDeps): FastifyReply {
  const { sessions, cookie } = deps;
  const before = sessions.use(cookie.read(request) ?? '');
  if (before) sessions.end(before.id);
  cookie.set(request, reply, sessions.open(viewer, request.headers['user-agent']));
  return reply.redirect('/ui/', 303);
}

function show(reply: FastifyReply, body: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .send(layout({ title: 'Sign in', body, path: '/sign-in', viewer: undefined }));
}

function signInForm(problem?: string): Html {
  return html`<div class="narrow">
    <h1>Sign in</h1>
    ${problem !== undefined && html`<div class="problem" role="alert"><p>${problem}</p></div>`}
    <form method="post" action="/ui/sign-in" class="form">
      <div class="field">
        <label for="key">Management key</label>
        <input
          type="password"
          id="key"
          name="key"
          autocomplete="current-password"
          required
          autofocus
          aria-describedby="key-hint"
        />
        <p class="hint" id="key-hint">It shows what belongs to its organization: hydrant key create</p>
      </div>
      <div class="actions"><button>Sign in</button></div>
    </form>
    <p class="about">
      On the machine of the daemon, its operator signs in with the link that <code>hydrant ui</code> prints.
    </p>
  </div>`;
}

function enterForm(query: URLSearchParams): Html {
  return html`<div class="narrow">
    <h1>Sign in</h1>
    <p>This link opens hydrant on this browser, once.</p>
    <form method="post" action="/ui/enter">
      <input type="hidden" name="code" value="${query.get('code') ?? ''}" /> <button autofocus>Open hydrant</button>
    </form>
  </div>`;
}

export function elsewhere(to: string): Html {
  return html`<h1>Not sent from here</h1>
    <p>The form was sent by another page than ours, so nothing was done. <a href="${to}">Go on</a></p>`;
}
