import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { firstMistake } from '../../shared/query/codes.ts';
import type { PlanLimitFacts, ProblemBody, ProblemCode, ProblemFacts } from '../../shared/api/problem.ts';
import type { Problem } from '../problem.ts';

/**
 * What each refusal says over HTTP: its status, its sentence and, where one field is to blame, that field. Rooms
 * throw codes with facts; this table is the only place that knows their numbers and words. docs/problems.md tells
 * how to solve each, under the same code.
 */
type Entries = {
  readonly [Code in ProblemCode]: {
    readonly status: number;
    readonly sentence: (facts: ProblemFacts[Code]) => string;
    /** For 422 only: under which name the sentence stands in `errors`. */
    readonly field?: (facts: ProblemFacts[Code]) => string;
  };
};

export const problems: Entries = {
  unauthenticated: { status: 401, sentence: unauthenticated },
  forbidden: { status: 403, sentence: ({ resource }) => `This ${resource} belongs to another organization.` },
  not_found: { status: 404, sentence: ({ resource }) => `There is no such ${resource}.` },
  malformed_body: { status: 400, sentence: ({ detail }) => `The body is not valid JSON: ${detail}` },
  invalid_field: { status: 422, sentence: ({ message }) => message, field: ({ field }) => field },
  invalid_query: {
    status: 422,
    sentence: ({ query, diagnostics }) => firstMistake(query, diagnostics),
    field: ({ field = 'value' }) => field,
  },
  unknown_filter: {
    status: 422,
    sentence: ({ query, diagnostics }) =>
      firstMistake(
        query,
        diagnostics.filter(({ code }) => code === 'unknown_filter'),
      ),
    field: ({ field }) => field,
  },
  filter_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Filter limit reached. An organization may have up to ${counted(limit, 'saved filter')}. ` +
      'Remove one that no rule uses: hydrant filter remove <name>',
    field: () => 'filters',
  },
  saved_match_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Saved match limit reached. An organization may keep up to ${limit}. ` +
      'Remove what is no longer needed: hydrant saved remove <id>',
    field: () => 'matches',
  },
  filter_in_use: {
    status: 422,
    sentence: ({ name, rules, watches = [] }) => `The filter ${name} is in use by ${users(rules, watches)}.`,
    field: () => 'filter',
  },
  filter_breaks_rules: {
    status: 422,
    sentence: ({ name, rules, query, diagnostics }) =>
      `With this, ${counted(rules.length, 'rule')} with a reference to the filter ${name} would be refused: ${some(rules)}. ` +
      firstMistake(query, diagnostics),
    field: () => 'filter',
  },
  filter_not_allowed: {
    status: 422,
    sentence: ({ query, diagnostics }) => firstMistake(query, diagnostics),
    field: () => 'query',
  },
  rate_limited: {
    status: 429,
    sentence: ({ what, limit, seconds, setting }) =>
      `Rate limit exceeded. ${what} takes ${counted(limit, 'request')} a minute. Try again in ${counted(seconds, 'second')}.` +
      (setting === undefined ? '' : ` The operator can raise this limit with the setting ${setting}.`),
  },
  engine_unavailable: {
    status: 503,
    sentence: () => 'The query engine is temporarily unavailable. Try again in a few seconds.',
  },
  rule_limit_reached: {
    status: 422,
    sentence: (facts) =>
      `Rule limit reached. ${facts.isOwn ? 'This' : 'An'} organization may have up to ${counted(facts.limit, 'rule')}. ` +
      raisedBy(facts, '--rules <count>'),
    field: () => 'rules',
  },
  tap_limit_reached: {
    status: 422,
    sentence: (facts) =>
      `Tap limit reached. ${allows(facts)} up to ${counted(facts.limit, 'tap')}. ${raisedBy(facts, '--taps <count>')}`,
    field: () => 'taps',
  },
  key_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Key limit reached. An organization may have up to ${counted(limit, 'management key')}. ` +
      'Revoke one that nobody uses: hydrant key revoke <name>',
    field: () => 'keys',
  },
  feed_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Feed limit reached. An organization may have up to ${counted(limit, 'feed')}. ` +
      'Remove one that nobody reads: hydrant feed remove <name>',
    field: () => 'feeds',
  },
  organization_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Organization limit reached. There may be up to ${counted(limit, 'organization')}. ` +
      'For more, run another daemon with its own data directory.',
    field: () => 'organizations',
  },
  member_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Member limit reached. An organization may have up to ${counted(limit, 'member')}. ` +
      'Remove one who has left: hydrant member remove <name>',
    field: () => 'members',
  },
  grant_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Grant limit reached. There may be up to ${counted(limit, 'grant')} with a remaining balance. ` +
      'Replace them by one: hydrant credit set <amount>',
    field: () => 'grants',
  },
  admin_needed: {
    status: 422,
    sentence: ({ name }) => `Only an admin can have management keys, and ${name} is a member.`,
    field: () => 'member',
  },
  last_admin: {
    status: 422,
    sentence: ({ name }) => `${name} is the only admin. An organization needs one.`,
    field: () => 'member',
  },
  rating_limit_reached: {
    status: 422,
    sentence: ({ limit }) => `The list is too long. Up to ${counted(limit, 'domain')} can be rated.`,
    field: () => 'domains',
  },
  body_too_large: {
    status: 413,
    sentence: ({ limit }) => `The body is too large. It may have up to ${limit} bytes.`,
  },
  private_address: { status: 422, sentence: ({ detail }) => detail, field: () => 'url' },
  source_exists: {
    status: 422,
    sentence: ({ url }) => `There is already a source for ${url} with this scope.`,
    field: () => 'url',
  },
  source_limit_reached: {
    status: 422,
    sentence: ({ limit }) =>
      `Source limit reached. There may be up to ${counted(limit, 'source')}. ` +
      'Remove some (hydrant crawl remove <url>), or replace several of one site by one with --scope host.',
    field: () => 'sources',
  },
  watches_not_in_plan: {
    status: 422,
    sentence: (facts) =>
      `${facts.isOwn ? 'This organization may watch no URLs.' : `URL Watch is not part of the ${facts.plan} plan.`} ` +
      raisedBy(facts, '--urls <count> --checks <count>'),
    field: () => 'watches',
  },
  watch_limit_reached: {
    status: 422,
    sentence: (facts) =>
      `Watch limit reached. ${allows(facts)} up to ${counted(facts.limit, 'watched URL')}. ` +
      raisedBy(facts, '--urls <count>'),
    field: () => 'watches',
  },
  watch_too_frequent: {
    status: 422,
    sentence: (facts) =>
      `${facts.isOwn ? 'This organization has its own limit, which' : `The ${facts.plan} plan`} checks a URL every ` +
      `${facts.limit} minutes at the fastest. ` +
      `The frequency_minutes field must be one of ${facts.allowed.join(', ')}. ${raisedBy(facts, '--cadence <minutes>')}`,
    field: () => 'frequency_minutes',
  },
  check_quota_used_up: {
    status: 422,
    sentence: (facts) =>
      `Check quota used up. ${allows(facts)} ${counted(facts.limit, 'check')} a month; ` +
      `there are new ones on ${facts.until} (UTC). ${raisedBy(facts, '--checks <count>')}`,
    field: () => 'checks',
  },
  already_watching: { status: 422, sentence: () => 'You are already watching this URL.', field: () => 'url' },
  watched_in_organization: {
    status: 422,
    sentence: () => 'This URL is already being watched in your organization.',
    field: () => 'url',
  },
  watch_paused: {
    status: 422,
    sentence: ({ url }) => `The watch of ${url} is paused. Resume it to have it checked at once.`,
    field: () => 'status',
  },
  url_not_held: { status: 404, sentence: ({ url }) => `No source contains ${url}.` },
  out_of_credit: {
    status: 402,
    sentence: () =>
      'Out of credit: the prepaid balance of the organization is exhausted. ' +
      'The operator can add credit with: hydrant credit grant <amount>',
  },
  disk_full: {
    status: 503,
    sentence: () => 'The disk is full: the change could not be saved. Free some space, then try again.',
  },
  storage_unavailable: {
    status: 503,
    sentence: () => 'The database cannot be reached. Try again in a few seconds; streams that are open stay open.',
  },
  shutting_down: { status: 503, sentence: () => 'The daemon is shutting down. Try again in a few seconds.' },
};

/** Seconds after which a restarted daemon is likely back. */
const RETRY_AFTER_SECONDS = 5;

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemBody;
}

export function answerTo<Code extends ProblemCode>(problem: Problem<Code>): ProblemAnswer {
  const entry: Entries[Code] = problems[problem.code];
  const message = entry.sentence(problem.facts);
  const field = entry.field?.(problem.facts);
  const diagnostics = diagnosticsOf(problem);
  return {
    status: entry.status,
    headers: headersFor(entry.status, problem),
    body: {
      message,
      ...(field !== undefined && { errors: { [field]: [message] } }),
      ...(diagnostics && { diagnostics }),
    },
  };
}

/** Several fields at once; the message is all their sentences. */
export function answerToFields(errors: Readonly<Record<string, readonly string[]>>): ProblemAnswer {
  return { status: 422, headers: {}, body: { message: Object.values(errors).flat().join(' '), errors } };
}

function headersFor(status: number, { facts }: Problem): Record<string, string> {
  // RFC 9110, 11.6.1: a 401 must say which scheme it wants.
  if (status === 401) return { 'www-authenticate': 'Bearer realm="hydrant"' };
  if ('seconds' in facts) return { 'retry-after': String(facts.seconds) };
  if (status === 503) return { 'retry-after': String(RETRY_AFTER_SECONDS) };
  return {};
}

function diagnosticsOf(problem: Problem): readonly Diagnostic[] | undefined {
  return 'diagnostics' in problem.facts ? problem.facts.diagnostics : undefined;
}

function unauthenticated({ wanted, given }: ProblemFacts['unauthenticated']): string {
  const [prefix, other] = wanted === 'tap token' ? ['svc_', 'management key'] : ['svcm_', 'tap token'];
  const how = `Send it as "Authorization: Bearer ${prefix}…".`;
  if (given === 'none') return `A ${wanted} is needed here. ${how}`;
  if (given === 'unknown') return `This key is unknown or was revoked. A ${wanted} is needed here. ${how}`;
  return `This is a ${other}; a ${wanted} is needed here. ${how}`;
}

function allows({ plan, isOwn }: Omit<PlanLimitFacts, 'limit'>): string {
  return isOwn ? 'This organization has its own limit, which allows' : `The ${plan} plan allows`;
}

/** How the operator raises a number. Last in a sentence, so that the command can be copied as it is. */
function raisedBy({ organization }: Omit<PlanLimitFacts, 'limit'>, flags: string): string {
  const name = /^[\w.-]+$/.test(organization) ? organization : `'${organization.replaceAll("'", String.raw`'\''`)}'`;
  return `The operator can raise this limit with: hydrant org plan ${name} ${flags}`;
}

function users(rules: readonly string[], watches: readonly string[]): string {
  const byRules = rules.length === 0 ? [] : [`${counted(rules.length, 'rule')}: ${some(rules)}`];
  const byWatches = watches.length === 0 ? [] : [`${counted(watches.length, 'trigger')} of watches: ${some(watches)}`];
  return [...byRules, ...byWatches].join('; and by ');
}

/** The first of a list that may be long. */
function some(words: readonly string[]): string {
  const shown = words.slice(0, SHOWN).join(', ');
  return words.length > SHOWN ? `${shown} and ${words.length - SHOWN} more` : shown;
}

const SHOWN = 8;

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
