import { Type } from 'typebox';
import { json, ON_FREE, type RouteDoc } from './route-doc.ts';
import { ruleDocs } from './rule-docs.ts';
import { streamDocs } from './stream-docs.ts';
import { urlWatchDocs } from './url-watch-docs.ts';
import { Problem } from '../problem.ts';
import { Tap, TapCreated } from '../../shared/api/tap.ts';
import { ValidationResult } from '../../shared/api/validation.ts';
import { validate } from '../../shared/query/validate.ts';

const noTap = new Problem('not_found', { resource: 'tap' });
const theirTap = new Problem('forbidden', { resource: 'tap' });
const badName = new Problem('invalid_field', { field: 'name', message: 'The name field is required.' });
const noRoom = new Problem('tap_limit_reached', { ...ON_FREE, limit: 1 });

const tap = {
  id: '0f5ad3a1-3f6c-4e0b-9b3a-5f1f6a1f2f10',
  name: 'news',
  status: 'active',
  token: `svc_${'A1b2C3d4'.repeat(5)}`,
  token_prefix: 'svc_A1b2',
  rules_count: 2,
  last_used_at: null,
  created_at: '2026-02-27T00:00:00+00:00',
};
const { id, name, token_prefix, created_at, token } = tap;
const oneTap = json(Type.Object({ data: Tap }), { data: tap });

const tapDocs: Readonly<Record<string, RouteDoc>> = {
  'GET /v1/taps': {
    id: 'listTaps',
    tag: 'Taps',
    key: 'management key',
    summary: 'List the taps of the organization',
    description: 'Each with its full token.',
    answer: {
      status: 200,
      description: 'All taps.',
      content: json(Type.Object({ data: Type.Array(Tap) }), { data: [tap] }),
    },
  },
  'POST /v1/taps': {
    id: 'createTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Create a tap',
    description: 'It is active, and counts toward the plan’s limit of active taps.',
    answer: {
      status: 201,
      description: 'The tap, and its token beside it.',
      content: json(TapCreated, { data: { id, name, token_prefix, created_at }, token }),
    },
    refusals: [badName, noRoom],
  },
  'GET /v1/taps/:id': {
    id: 'getTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Show a tap',
    answer: { status: 200, description: 'The tap, its token included.', content: oneTap },
    refusals: [theirTap, noTap],
  },
  'PUT /v1/taps/:id': {
    id: 'changeTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Rename, pause or resume a tap',
    description:
      'Either field may be sent alone. A paused tap keeps its rules and its token, and matches nothing; it does not count ' +
      'toward the limit of active taps.',
    answer: { status: 200, description: 'The tap as it is now.', content: oneTap },
    refusals: [theirTap, noTap, badName, noRoom],
  },
  'DELETE /v1/taps/:id': {
    id: 'revokeTap',
    tag: 'Taps',
    key: 'management key',
    summary: 'Revoke a tap',
    description: 'Deletes its rules, ends its open streams at once and makes its token invalid.',
    answer: { status: 204, description: 'The tap is no more.' },
    refusals: [theirTap, noTap],
  },
};

const query = new Problem('invalid_field', { field: 'query', message: 'The query field is required.' });
const unavailable = new Problem('engine_unavailable', {});
const { core_version, valid, diagnostics, compiled, info } = validate('titel:ferry');
const noFilter = validate('$no-junk', { filters: () => undefined, filterNames: [] });
const inPublic = validate('$no-junk');
const result = json(ValidationResult, { core_version, valid, diagnostics, compiled, info });
const about = 'A query that is refused is an answer too: `valid` is false, and `diagnostics` say where and why.';

const validationDocs: Readonly<Record<string, RouteDoc>> = {
  'POST /v1/validate': {
    id: 'validate',
    tag: 'Validation',
    key: 'tap token',
    summary: 'Check a query without saving it',
    description: `${about} \`$name\` stands for a saved filter of the tap’s organization.`,
    answer: { status: 200, description: 'What the query engine says.', content: result },
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
  'POST /v1/validate/public': {
    id: 'validatePublic',
    tag: 'Validation',
    key: 'none',
    summary: 'Check a query without a key',
    description: `${about} Limited by address; saved filters cannot be referred to.`,
    answer: { status: 200, description: 'What the query engine says.', content: result },
    refusals: [
      query,
      new Problem('filter_not_allowed', { query: inPublic.expanded, diagnostics: inPublic.diagnostics }),
      new Problem('rate_limited', { what: '/v1/validate/public', limit: 30, seconds: 12 }),
      unavailable,
    ],
  },
};

const pageDocs: Readonly<Record<string, RouteDoc>> = {
  'GET /openapi.json': {
    id: 'openapi',
    tag: 'Documentation',
    key: 'none',
    summary: 'This document',
    answer: {
      status: 200,
      description: 'OpenAPI 3.1.',
      content: json(Type.Object({ openapi: Type.String() }), { openapi: '3.1.0' }),
    },
  },
  'GET /docs': {
    id: 'docs',
    tag: 'Documentation',
    key: 'none',
    summary: 'This document for people',
    answer: {
      status: 200,
      description: 'One page, without anything from elsewhere.',
      content: { 'text/html': { schema: Type.String(), example: '<!doctype html>…' } },
    },
  },
};

/** By method and path, as the route is registered. A route without an entry, or an entry without a route, fails a test. */
export const routeDocs: Readonly<Record<string, RouteDoc>> = {
  ...tapDocs,
  ...ruleDocs,
  ...streamDocs,
  ...validationDocs,
  ...urlWatchDocs,
  ...pageDocs,
};
