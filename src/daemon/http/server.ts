import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { Auth } from './auth.ts';
import { ruleRoutes } from './rules.ts';
import { streamRoutes } from './stream.ts';
import { tapRoutes } from './taps.ts';
import type { Keys } from '../accounts/keys.ts';
import type { Log } from '../log.ts';
import type { Hub } from '../stream/hub.ts';
import type { Rules } from '../taps/rules.ts';
import type { Taps } from '../taps/taps.ts';

export interface RouteDeps {
  readonly keys: Keys;
  readonly taps: Taps;
  readonly rules: Rules;
  readonly hub: Hub;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/**
 * The public API. A handler has three moves: read the request, ask a room, shape the answer; what a room refuses it
 * throws as a Problem, and `app.ts` turns that into a status and a sentence. Listening is the caller's.
 */
export function createServer(deps: RouteDeps): FastifyInstance {
  const { keys, taps, log } = deps;
  const app = createApp(log);
  // Named one by one: an "operator" that came along with the rest would open every door on the network.
  publicRoutes(app, new Auth({ keys, taps, log }), deps);
  return app;
}

/** Every public route. */
export function publicRoutes(app: FastifyInstance, auth: Auth, { taps, rules, hub }: RouteDeps): void {
  tapRoutes(app, { auth, taps });
  ruleRoutes(app, { auth, rules });
  streamRoutes(app, {
    hub,
    tapOf: (request) => ({ id: auth.tap(request).tapId }),
    ruleCount: (tapId) => rules.count(tapId),
    touch: (tapId) => auth.noteUse(tapId),
  });
}
