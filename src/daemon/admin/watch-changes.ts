import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { integerIn } from '../http/query-integer.ts';
import { Problem } from '../problem.ts';
import type { WatchNews } from '../../shared/api/watch.ts';
import { WATCH_CHANGES_A_PAGE, WATCH_CHANGES_WAIT_SECONDS } from '../../shared/limits.ts';

/** Who knows the changes of all watches of an organization. */
export interface WatchChangesDesk {
  changes(organizationId: string, asked: ChangesAsked, signal: AbortSignal): Promise<WatchNews>;
  /** Whoever waits is answered: the server closes. */
  close(): void;
}

interface ChangesAsked {
  readonly after: number;
  readonly atMost: number;
  readonly isNewest: boolean;
  readonly watchId?: string;
  readonly waitMs: number;
}

/**
 * `GET /admin/watch-changes`: changes after a cursor, oldest first, or the newest ones. `wait` makes it a long poll: where
 * there is no change yet, the answer comes with the next one, or without one after so many seconds.
 */
export function watchChangesRoute(
  app: FastifyInstance,
  desk: WatchChangesDesk,
  /** The organization that a request is about. */
  idOf: (request: FastifyRequest) => string,
): void {
  app.addHook('preClose', async () => desk.close());
  app.route({
    method: 'GET',
    url: '/admin/watch-changes',
    handler: async (request, reply) => {
      return { data: await desk.changes(idOf(request), askedIn(request), goneWith(reply)) };
    },
  });
}

function askedIn(request: FastifyRequest): ChangesAsked {
  const query = request.query as Readonly<Record<string, unknown>>;
  const { most, default: standard } = WATCH_CHANGES_A_PAGE;
  const isNewest = query['newest'] === 'true';
  const seconds = integerIn(query, 'wait', { least: 0, most: WATCH_CHANGES_WAIT_SECONDS }) ?? 0;
  if (isNewest && seconds > 0) {
    throw new Problem('invalid_field', { field: 'wait', message: 'wait and newest do not go together.' });
  }
  const { watch } = query;
  return {
    after: integerIn(query, 'after', { least: 0 }) ?? 0,
    atMost: integerIn(query, 'limit', { least: 1, most }) ?? standard,
    isNewest,
    waitMs: seconds * 1_000,
    ...(typeof watch === 'string' && { watchId: watch }),
  };
}

/** Aborted when the client is gone, or has its answer: nobody waits on for it. */
function goneWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
