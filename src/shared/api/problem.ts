import { type Diagnostic, DiagnosticSchema } from './diagnostic.ts';
import { Type } from 'typebox';

/** The body of every HTTP error: `errors` only on 422, `diagnostics` only where a query was refused. */
export interface ProblemBody {
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A number of an organization's plan, or one of its own, and whose it is. */
export interface PlanLimitFacts {
  /** Its name. */
  readonly organization: string;
  readonly plan: string;
  /** The number is the organization's own, and not its plan's. */
  readonly isOwn: boolean;
  readonly limit: number;
}

/**
 * Every way a request can be refused, with the facts its sentence is made from. `http/problems.ts` gives each its
 * status and sentence; docs/problems.md explains each, and a test compares the two.
 */
export interface ProblemFacts {
  /** No key, one we don't know, or one that was revoked. */
  unauthenticated: {
    readonly wanted: 'management key' | 'tap token';
    readonly given: 'none' | 'unknown' | 'other kind';
  };
  /** The resource exists and belongs to another organization. */
  forbidden: { readonly resource: string };
  not_found: { readonly resource: string };
  malformed_body: { readonly detail: string };
  /** A field or parameter is missing or wrong. */
  invalid_field: { readonly field: string; readonly message: string };
  /** `query`: saved filters written out, which places count in. `field`: where it stands; absent: `value`. */
  invalid_query: {
    readonly query: string;
    readonly diagnostics: readonly Diagnostic[];
    readonly field?: string;
  };
  /** A query refers to a saved filter that its organization does not have. */
  unknown_filter: {
    readonly field: string;
    readonly name: string;
    readonly query: string;
    readonly diagnostics: readonly Diagnostic[];
  };
  filter_limit_reached: { readonly limit: number };
  /** `rules`: tags of the rules that refer to it, or their ids. `watches`: URLs of those whose triggers do. */
  filter_in_use: {
    readonly name: string;
    readonly rules: readonly string[];
    readonly watches?: readonly string[];
  };
  /** With the change these rules would be refused; `query` and `diagnostics` are the first one's. */
  filter_breaks_rules: {
    readonly name: string;
    readonly rules: readonly string[];
    readonly query: string;
    readonly diagnostics: readonly Diagnostic[];
  };
  saved_match_limit_reached: { readonly limit: number };
  /** A query refers to saved filters where there are none to refer to. */
  filter_not_allowed: { readonly query: string; readonly diagnostics: readonly Diagnostic[] };
  /** `seconds`: until the next request is taken. `setting`: the operator's that has the number, where there is one. */
  rate_limited: {
    readonly what: string;
    readonly limit: number;
    readonly seconds: number;
    readonly setting?: string;
  };
  /** The query engine failed at a query it should have answered for. */
  engine_unavailable: Record<string, never>;
  rule_limit_reached: PlanLimitFacts;
  tap_limit_reached: PlanLimitFacts;
  key_limit_reached: { readonly limit: number };
  feed_limit_reached: { readonly limit: number };
  organization_limit_reached: { readonly limit: number };
  member_limit_reached: { readonly limit: number };
  grant_limit_reached: { readonly limit: number };
  /** A management key for a member who is no admin. */
  admin_needed: { readonly name: string };
  /** The organization's only admin would go, or be none. */
  last_admin: { readonly name: string };
  rating_limit_reached: { readonly limit: number };
  body_too_large: { readonly limit: number };
  private_address: { readonly url: string; readonly detail: string };
  source_limit_reached: { readonly limit: number };
  /** No source holds the URL. */
  url_not_held: { readonly url: string };
  source_exists: { readonly url: string };
  /** The organization may watch no URLs. */
  watches_not_in_plan: Omit<PlanLimitFacts, 'limit'>;
  watch_limit_reached: PlanLimitFacts;
  /** `limit`: minutes between two checks, at least; `allowed`: frequencies there are from there on. */
  watch_too_frequent: PlanLimitFacts & { readonly allowed: readonly number[] };
  /** `until`: the day (UTC) on which there are checks again. */
  check_quota_used_up: PlanLimitFacts & { readonly until: string };
  already_watching: { readonly url: string };
  /** By another member. */
  watched_in_organization: { readonly url: string };
  watch_paused: { readonly url: string };
  /** The organization's prepaid balance does not pay one more match. */
  out_of_credit: Record<string, never>;
  /** There is no room for what was to be written. */
  disk_full: Record<string, never>;
  /** The database that several daemons share cannot be reached. */
  storage_unavailable: Record<string, never>;
  shutting_down: Record<string, never>;
}

export type ProblemCode = keyof ProblemFacts;

/** `ProblemBody` for the document of the API. */
export const ProblemSchema = Type.Object(
  {
    message: Type.String({ description: 'What is wrong, in a sentence or more.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Only with 422: sentences by field.' }),
    ),
    diagnostics: Type.Optional(
      Type.Array(DiagnosticSchema, { description: 'Only where a query was refused: what validation says of it.' }),
    ),
  },
  { title: 'Problem', additionalProperties: false },
);
