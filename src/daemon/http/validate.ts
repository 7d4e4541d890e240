import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Auth } from './auth.ts';
import type { Log } from '../process/log.ts';
import { Problem } from '../problem.ts';
import { PublicValidationRequest, ValidationRequest, type ValidationResult } from '../../shared/api/validation.ts';
import type { Filters as Lookup } from '../../shared/query/expand.ts';
import { unknownFilterIn, validate, type ValidateOptions, type Validation } from '../../shared/query/validate.ts';

/** Where the `$name` of a query are looked up. */
export interface FilterDoor {
  lookup(organizationId: string): Required<Lookup>;
}

export interface ValidateDeps {
  readonly auth: Auth;
  readonly filters: FilterDoor;
  readonly log: Pick<Log, 'error'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * `POST /v1/validate`, for tap tokens, and `POST /v1/validate/public`, for everyone (spec, Validate a query). The answer
 * is the object that `hydrant validate --json` prints: both call the same function, which is also the one that a rule is
 * accepted by. A query that is refused is a `200` with `valid: false`; a `422` is a request that has no answer.
 */
export function validateRoutes(app: FastifyInstance, { auth, filters, log, now }: ValidateDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'POST',
    url: '/v1/validate',
    onRequest: auth.wantTap,
    schema: { body: ValidationRequest },
    handler: async (request) => {
      const { query, quality, nsfw } = request.body;
      const lookup = filters.lookup(auth.tap(request).organizationId);
      const validation = ask(query, { ...lookup, quality, nsfw, now: now() }, log);
      const unknown = unknownFilterIn(validation);
      if (unknown !== undefined) {
        throw new Problem('unknown_filter', {
          field: 'query',
          name: unknown,
          query: validation.expanded,
          diagnostics: validation.diagnostics,
        });
      }
      return toWire(validation);
    },
  });
  routes.route({
    method: 'POST',
    url: '/v1/validate/public',
    schema: { body: PublicValidationRequest },
    handler: async (request) => {
      const validation = ask(request.body.query, { now: now() }, log);
      const references = validation.diagnostics.filter(({ code }) => code === 'filter_not_allowed');
      if (references.length > 0) {
        throw new Problem('filter_not_allowed', { query: validation.expanded, diagnostics: references });
      }
      return toWire(validation);
    },
  });
}

/** The engine never throws. Should it do so all the same, the client is told what the spec has for it: try again. */
function ask(query: string, options: ValidateOptions, log: Pick<Log, 'error'>): Validation {
  try {
    return validate(query, options);
  } catch (error) {
    log.error({ err: error, query }, 'the query engine failed');
    throw new Problem('engine_unavailable', {});
  }
}

function toWire({ core_version, valid, diagnostics, compiled, info }: Validation): ValidationResult {
  const { fields_used, default_field_terms } = info;
  return {
    core_version,
    valid,
    diagnostics: [...diagnostics],
    compiled,
    info: { fields_used: [...fields_used], default_field_terms: [...default_field_terms] },
  };
}
