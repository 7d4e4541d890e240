import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Api, Refusal } from './api.ts';
import { crawlRoutes } from './crawl.ts';
import { formOf, isOfOurs, readForms, SessionCookie, setHeaders } from './guard.ts';
import { healthRoutes } from './health.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { openTimeline, timelineFormat } from './live.ts';
import { queryRoutes } from './query.ts';
import { rulesRoutes } from './rules.ts';
import { type Session, type Viewer, ViewSessions } from './sessions.ts';
import { elsewhere, signInRoutes } from './sign-in.ts';
import { matchItem, tapsAsked, timelineRoutes } from './timeline.ts';
import { Timeline } from './timeline-log.ts';
import { numberIn, type ViewRoute, type Visit } from './visit.ts';
import { watchFormRoutes } from './watch-form.ts';
import { watchRoutes } from './watch.ts';
import { watchesRoutes } from './watches.ts';
import type { Organizations } from '../accounts/organizations.ts';
import { Auth } from '../http/auth.ts';
import { createApp } from '../http/app.ts';
import { answerTo } from '../http/problems.ts';
import { RequestCounts } from '../http/rate-limits.ts';
import { publicRoutes, type RouteDeps } from '../http/server.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { EventLog } from '../storage/event-log.ts';
import type { Metering } from '../accounts/metering.ts';
import { SSE, type StreamFormat } from '../stream/format.ts';
import type { UiLink, UiSessionsEnded } from '../../shared/api/ui.ts';
import { VIEW_REQUESTS_A_MINUTE, VIEW_SESSIONS, VIEW_STREAMS_A_SESSION } from '../../shared/limits.ts';

interface ViewDeps extends RouteDeps {
  readonly organizations: Pick<Organizations, 'find' | 'list'>;
  readonly catalog: { readonly data: CatalogData };
  readonly eventLog: Pick<EventLog, 'bounds' | 'firstAt' | 'read'>;
  readonly metering: Metering;
  readonly outside: Outside;
}

/** Every screen and every form, with who may ask for it. */
export const viewRoutes: readonly ViewRoute[] = [
  ...timelineRoutes,
  ...watchesRoutes,
  // Before those of one watch: `new` is no id.
  ...watchFormRoutes,
  ...watchRoutes,
  ...rulesRoutes,
  ...queryRoutes,
  ...crawlRoutes,
  ...healthRoutes,
];

/**
 * The web view: pages below `/ui` on the public port. Each is made of what the API answers to who is signed in: to the operator,
 * the operator's own; to a management key, what it may ask anyway, and nothing else.
 */
export class View {
  readonly #deps: ViewDeps;
  readonly #sessions: ViewSessions;
  readonly #cookie = new SessionCookie();
  readonly #timeline: Timeline;
  /** The public routes for who is signed in with a key, which is named by its id. It listens nowhere. */
  readonly #memberApp: FastifyInstance;
  readonly #format: StreamFormat;
  #operatorApp: FastifyInstance | undefined;
  readonly #visits = new WeakMap<FastifyRequest, Session>();
  /** Timelines that are open. */
  readonly #streams = new WeakMap<Session, number>();

  constructor(deps: ViewDeps) {
    this.#deps = deps;
    this.#sessions = new ViewSessions(deps.outside);
    this.#timeline = new Timeline(deps);
    this.#memberApp = memberApp(deps);
    this.#format = timelineFormat(deps.catalog, (match) => matchItem(match, deps.outside.now()));
  }

  /** The routes below `/ui`. */
  readonly routes = async (app: FastifyInstance): Promise<void> => {
    await app.register(async (scope) => this.#open(scope), { prefix: '/ui' });
  };

  /** The operator's own API, and what is added to it: how he signs in. `publicUrl`: where the daemon listens. */
  attach(operatorApp: FastifyInstance, publicUrl: string): void {
    this.#operatorApp = operatorApp;
    this.#cookie.nameFor(publicUrl);
    operatorApp.post('/admin/ui/links', async (_request, reply) => {
      const { code, expiresAt } = this.#sessions.link();
      const url = new URL(`/ui/enter?code=${code}`, publicUrl).href;
      return reply.code(201).send({ data: { url, expires_at: timestamp(expiresAt) } satisfies UiLink });
    });
    operatorApp.get('/admin/ui/sessions', async () => ({
      data: this.#sessions.list((viewer) => this.#called(viewer)),
    }));
    operatorApp.delete('/admin/ui/sessions', async () => ended(this.#sessions.end()));
    operatorApp.delete<{ Params: { id: string } }>('/admin/ui/sessions/:id', async ({ params }) => {
      const answer = ended(this.#sessions.end(params.id));
      if (answer.data.ended === 0) throw new Problem('not_found', { resource: 'session' });
      return answer;
    });
  }

  async #open(scope: FastifyInstance): Promise<void> {
    setHeaders(scope);
    readForms(scope);
    scope.setErrorHandler(async (error, request, reply) => this.#refuse(error, request, reply));
    scope.setNotFoundHandler((request, reply) => this.#message(request, reply.code(404), 'There is no such page.'));
    signInRoutes(scope, { ...this.#deps, sessions: this.#sessions, cookie: this.#cookie });
    await scope.register(async (inner) => {
      const requests = new RequestCounts(() => this.#deps.outside.now(), VIEW_SESSIONS);
      inner.addHook('onRequest', async (request, reply) => this.#admit(request, reply, requests));
      for (const route of viewRoutes) this.#add(inner, route);
      inner.get('/live', { exposeHeadRoute: false }, async (request, reply) => this.#live(request, reply));
      inner.post('/organization', async (request, reply) => {
        const session = this.#session(request);
        if (session.viewer.kind === 'operator') {
          session.organization = this.#deps.organizations.find(formOf(request).get('organization') ?? '').id;
        }
        return reply.redirect('/ui/', 303);
      });
      inner.post('/sign-out', async (request, reply) => {
        this.#sessions.end(this.#session(request).id);
        this.#cookie.clear(request, reply);
        return reply.redirect('/ui/sign-in', 303);
      });
    });
  }

  /** Before a body is read: who has no session is led to the sign-in, and what was sent from elsewhere does nothing. */
  async #admit(request: FastifyRequest, reply: FastifyReply, requests: RequestCounts): Promise<FastifyReply | void> {
    const session = this.#sessions.use(this.#cookie.read(request) ?? '');
    if (session === undefined || !this.#isKnown(session)) return reply.redirect('/ui/sign-in', 303);
    this.#visits.set(request, session);
    const { current, ttl } = requests.count(session.id, 60_000);
    if (current > VIEW_REQUESTS_A_MINUTE) {
      const limit = { limit: VIEW_REQUESTS_A_MINUTE, seconds: Math.ceil(ttl / 1_000) };
      throw new Problem('rate_limited', { what: '/ui', ...limit });
    }
    if (request.method === 'POST' && !isOfOurs(request)) {
      return this.#send(request, reply.code(403), 'Not sent from here', elsewhere('/ui/'));
    }
  }

  /** A key that was revoked ends its sessions. */
  #isKnown({ id, viewer }: Session): boolean {
    if (viewer.kind === 'operator' || this.#deps.keys.holder(viewer.keyId) !== undefined) return true;
    this.#sessions.end(id);
    return false;
  }

  #add(scope: FastifyInstance, { method, path, who, run }: ViewRoute): void {
    scope.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const visit = this.#visit(request);
        if (who === 'operator' && !visit.isOperator) {
          return this.#message(
            request,
            reply.code(403),
            'This is the operator’s: sign in on the daemon’s machine, with hydrant ui.',
          );
        }
        const answer = await run(visit);
        if (answer.kind === 'redirect') return reply.redirect(answer.to, 303);
        return this.#send(request, reply.code(answer.status), answer.title, answer.body);
      },
    });
  }

  async #live(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { hub } = this.#deps;
    const visit = this.#visit(request);
    const tapIds = (await tapsAsked(visit)).filter((tap) => tap.rules_count > 0).map(({ id }) => id);
    // No content tells an EventSource that it need not come again.
    if (tapIds.length === 0) return void reply.code(204).send();
    await hub.admit(this.#organizationId(visit.session));
    this.#countStream(visit.session, reply);
    const { 'last-event-id': last = '' } = request.headers;
    const since = numberIn(new URLSearchParams({ last: String(last) }), 'last') ?? numberIn(visit.query, 'since');
    reply.hijack();
    reply.raw.setTimeout(0);
    const head = { ...reply.getHeaders(), 'content-type': SSE.contentType, 'x-accel-buffering': 'no' };
    reply.raw.writeHead(200, head as Record<string, string>);
    const sinceMs = Math.min(DAY_MS, visit.now - (since ?? visit.now));
    const asked = { tapIds, format: this.#format, sinceMs, ended: visit.session.ended };
    // The daemon stops: the browser comes again.
    await openTimeline(hub, reply.raw, asked).catch(() => reply.raw.destroy());
  }

  /** Each is a stream of every tap: who could open any number would have as many as he likes of all. */
  #countStream(session: Session, { raw }: FastifyReply): void {
    const open = (this.#streams.get(session) ?? 0) + 1;
    if (open > VIEW_STREAMS_A_SESSION) {
      throw new Problem('rate_limited', { what: '/ui/live', limit: VIEW_STREAMS_A_SESSION, seconds: 60 });
    }
    this.#streams.set(session, open);
    raw.once('close', () => this.#streams.set(session, (this.#streams.get(session) ?? 1) - 1));
  }

  #visit(request: FastifyRequest): Visit {
    const session = this.#session(request);
    const isOperator = session.viewer.kind === 'operator';
    return {
      session,
      isOperator,
      api: this.#api(session),
      timeline: this.#timeline,
      params: request.params as Visit['params'],
      query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
      form: formOf(request),
      now: this.#deps.outside.now(),
    };
  }

  #session(request: FastifyRequest): Session {
    const session = this.#visits.get(request);
    if (session === undefined) throw new Error('This route has no session.');
    return session;
  }

  #api({ viewer, organization }: Session): Api {
    if (viewer.kind === 'member') return new Api(this.#memberApp, viewer.keyId);
    if (this.#operatorApp === undefined) throw new Problem('shutting_down', {});
    return new Api(this.#operatorApp, organization ?? this.#deps.organizations.list()[0]?.id);
  }

  #organizationId({ viewer, organization }: Session): string {
    const id = viewer.kind === 'operator' ? organization : this.#deps.keys.holder(viewer.keyId)?.organizationId;
    return id ?? this.#deps.organizations.list()[0]?.id ?? '';
  }

  /** What a viewer is called in the list of sessions. */
  #called(viewer: Viewer): string {
    if (viewer.kind === 'operator') return 'operator';
    const key = this.#deps.catalog.data.keys.find(({ id }) => id === viewer.keyId);
    return key === undefined ? 'a key that was revoked' : `key ${key.name} (${key.prefix}…)`;
  }

  async #refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (error instanceof Refusal) {
      if (error.status === 401) return reply.redirect('/ui/sign-in', 303);
      return this.#message(request, reply.code(error.status), error.message);
    }
    // Faults of ours, and bodies that are too long, are answered as everywhere.
    if (!(error instanceof Problem)) throw error;
    const { status, headers, body } = answerTo(error);
    return this.#message(request, reply.code(status).headers(headers), body.message);
  }

  #message(request: FastifyRequest, reply: FastifyReply, message: string): FastifyReply {
    return this.#send(
      request,
      reply,
      message,
      html`<h1>${message}</h1>
        <p><a href="/ui/">To the timeline</a></p>`,
    );
  }

  #send(request: FastifyRequest, reply: FastifyReply, title: string, body: Html): FastifyReply {
    const session = this.#visits.get(request);
    const path = (request.url.split('?')[0] ?? '').slice('/ui'.length).replace(/\/$/, '');
    const viewer = session && { isOperator: session.viewer.kind === 'operator', organizations: this.#choice(session) };
    return reply.type('text/html; charset=utf-8').send(layout({ title, body, path, viewer }));
  }

  /** Organizations that the operator chooses from. */
  #choice(session: Session) {
    if (session.viewer.kind !== 'operator') return [];
    const chosen = this.#organizationId(session);
    return this.#deps.organizations.list().map(({ id, name }) => ({ id, name, isChosen: id === chosen }));
  }
}

const DAY_MS = 24 * 3_600_000;

function ended(count: number): { readonly data: UiSessionsEnded } {
  return { data: { ended: count } };
}

/** The public routes, as the member who made a key: its id is in the header that only `Api` sends. */
function memberApp(deps: ViewDeps): FastifyInstance {
  const { keys, taps, log } = deps;
  const app = createApp(log, { onDiskFull: deps.onDiskFull });
  const holder = (keyId: string | undefined) => {
    const manager = keys.holder(keyId ?? '');
    if (manager === undefined) throw new Problem('unauthenticated', { wanted: 'management key', given: 'unknown' });
    return manager;
  };
  publicRoutes(app, new Auth({ keys, taps, log, operator: holder }), deps);
  return app;
}
