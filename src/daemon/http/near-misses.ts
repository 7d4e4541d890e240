import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { distance } from '../../shared/query/suggest/misspelling.ts';

/** A field of a body that the route does not know, and the one of its own that was probably meant. */
export interface NearMiss {
  readonly sent: string;
  readonly meant: string;
}

/** Fields that are compared, and characters of each: a body may have ten thousand of them. */
const COMPARED = 100;
const NAME_LENGTH = 64;

/**
 * Adds to the `warnings` of an answer where the request was accepted with a field whose name is a near miss of one that the
 * route knows. Other unknown fields are ignored without a word: clients send back what an answer had, and fields of newer or
 * other services. Has to be called before the routes are registered.
 */
export function warnOfNearMisses(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    if (reply.statusCode >= 300 || typeof payload !== 'object' || payload === null) return payload;
    const found = nearMissesIn(request).map(warningOf);
    if (found.length === 0) return payload;
    const others = 'warnings' in payload && Array.isArray(payload.warnings) ? (payload.warnings as Diagnostic[]) : [];
    return { ...payload, warnings: [...found, ...others] };
  });
}

function warningOf({ sent, meant }: NearMiss): Diagnostic {
  const hint = { message: `Did you mean ${JSON.stringify(meant)}?`, replacement: meant };
  const message = `The field ${JSON.stringify(sent)} is unknown and was ignored. ${hint.message}`;
  return { severity: 'warning', code: 'unknown_body_field', message, field: sent, hint };
}

/** Those of a request whose body is a JSON object, by the schema of its route. */
export function nearMissesIn({ body, routeOptions }: FastifyRequest): NearMiss[] {
  const schema = routeOptions.schema?.body;
  if (!isObject(schema) || !isObject(schema['properties']) || !isObject(body)) return [];
  const known = Object.keys(schema['properties']);
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.slice(0, COMPARED).flatMap((name) => {
    const sent = name.slice(0, NAME_LENGTH);
    const meant = known.find((one) => isNear(folded(sent), folded(one)));
    return meant === undefined ? [] : [{ sent, meant }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `frequencyMinutes` and `Frequency-Minutes` are `frequency_minutes` in other conventions. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}

/** One edit, or two in a longer name; a plural is one. Or the beginning of a name: `frequency`. */
function isNear(sent: string, known: string): boolean {
  if (sent.length >= SHORT && known.startsWith(sent)) return true;
  const most = known.length > SHORT + 1 ? 2 : 1;
  return distance(sent, known, most + 1) <= most;
}

const SHORT = 4;
