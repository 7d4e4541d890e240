import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Auth } from './auth.ts';
import type { Log } from '../process/log.ts';
import { Problem } from '../problem.ts';
import { PublicValidationRequest, ValidationRequest, ValidationResult } from '../../shared/api/diagnostic.ts';
import type { Filters } from '../filters/filters.ts';
import { unknownFilterIn, validate, type ValidateOptions, type Validation } from '../../shared/query/validate.ts';
import { json, type RouteDoc } from './route-doc.ts';

export interface ValidateDeps {
  readonly auth: Auth;
  readonly filters: Pick<Filters, 'lookup'>;
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
    schema: { doc: docs.validate, body: ValidationRequest },
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
    schema: { doc: docs.validatePublic, body: PublicValidationRequest },
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

const query = new Problem('invalid_field', { field: 'query', message: 'The query field is required.' });
const unavailable = new Problem('engine_unavailable', {});
const { core_version, valid, diagnostics, compiled, info } = validate('titel:ferry');
const noFilter = validate('$no-junk', { filters: () => undefined, filterNames: [] });
const inPublic = validate('$no-junk');
const result = json(ValidationResult, { core_version, valid, diagnostics, compiled, info });
const about = 'The status is 200 for an invalid query too: `valid` is false, and `diagnostics` say where and why.';

const docs = {
  validate: {
    id: 'validate',
    tag: 'Validation',
    key: 'tap token',
    summary: 'Check a query without saving it',
    description: `${about} \`$name\` stands for a saved filter of the tap’s organization.`,
    answer: { status: 200, description: 'The result of the validation.', content: result },
    refusals: [
      query,
      new Problem('unknown_filter', {
        field: 'query',
        name: 'no-junk',
        query: noFilter.expanded,
        diagnostics: noFilter.diagnostics,
      }),
      unavailable,
    ],
  },
  validatePublic: {
    id: 'validatePublic',
    tag: 'Validation',
    key: 'none',
    summary: 'Check a query without a key',
    description: `${about} Limited by address; saved filters cannot be referred to.`,
    answer: { status: 200, description: 'The result of the validation.', content: result },
    refusals: [
      query,
      new Problem('filter_not_allowed', { query: inPublic.expanded, diagnostics: inPublic.diagnostics }),
      new Problem('rate_limited', { what: '/v1/validate/public', limit: 30, seconds: 12 }),
      unavailable,
    ],
  },
} as const satisfies Readonly<Record<string, RouteDoc>>;
