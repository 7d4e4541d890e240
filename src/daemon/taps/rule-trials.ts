import { findOne } from '../accounts/lookup.ts';
import { lookupIn } from '../filters/filters.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { MatchDocument } from '../../shared/api/match.ts';
import type { RuleTrial, RuleTrialAnswer, RuleTrialOrder, TrialMatch, TrialWithheld } from '../../shared/api/rule.ts';
import type { Withheld } from '../../shared/api/rule-report.ts';
import { TRIAL_SECONDS } from '../../shared/limits.ts';
import { ownedDomain } from '../../shared/page/domain.ts';
import type { Query } from '../../shared/query/ast.ts';
import type { RuleSettings } from '../../shared/query/check/filtered-out.ts';
import { unknownFilterIn, validate } from '../../shared/query/validate.ts';

/** Who asks a rule of the changes that are kept. */
export interface Trying {
  try(order: {
    readonly rule: { id: string; tapId: string; query: Query; quality: boolean; nsfw: boolean };
    readonly since: number;
    readonly before?: number | undefined;
    readonly whole: { readonly matches: number; readonly withheld: number };
    readonly endsWhenWhole?: boolean | undefined;
  }): Promise<{
    readonly fitting: readonly Fitting[];
    readonly changes: number;
    readonly failed: number;
    readonly oldestAt: number | undefined;
    readonly isComplete: boolean;
    readonly next?: number | undefined;
  }>;
}

interface Fitting {
  readonly seq: number;
  readonly at: number;
  readonly url: string;
  readonly withheld?: Withheld;
  /** JSON. */
  readonly document?: string;
}

interface Deps {
  readonly catalog: { readonly data: CatalogData };
  readonly trials: Trying;
  readonly outside: Pick<Outside, 'now'>;
  /** Whether changes are kept. */
  readonly isKept: boolean;
}

/** Rules that are tried before they are saved: what they would have matched in the last day. */
export class RuleTrials {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {Problem} invalid_query, unknown_filter, not_found */
  async try(organizationId: string, order: RuleTrialOrder): Promise<RuleTrialAnswer> {
    const { catalog, trials, outside, isKept } = this.#deps;
    const { value, quality = true, nsfw = false, since_seconds: seconds = TRIAL_SECONDS, limit = 10 } = order;
    const now = outside.now();
    const { query, diagnostics } = this.#accepted(catalog.data, organizationId, order, { quality, nsfw, now });
    const since = now - seconds * 1_000;
    const rule = { id: value, tapId: 'trial', query, quality, nsfw };
    const { before } = order;
    const whole = { matches: limit, withheld: before === undefined ? limit : 0 };
    const asked = { rule, since, before, whole, endsWhenWhole: before !== undefined };
    const found = isKept ? await trials.try(asked) : NOTHING;
    const matching = found.fitting.filter(({ withheld }) => withheld === undefined);
    const urls = new Set(matching.map(({ url }) => url));
    const data: RuleTrial = {
      since: timestamp(since),
      kept: isKept,
      changes: found.changes,
      failed: found.failed,
      oldest_at: found.oldestAt === undefined ? null : timestamp(found.oldestAt),
      complete: found.isComplete,
      matches: matching.length,
      pages: urls.size,
      domains: new Set([...urls].map((url) => ownedDomain(new URL(url).hostname))).size,
      withheld: countedBy(found.fitting),
      ...(found.next !== undefined && { next: found.next }),
      newest: matching.flatMap(wholeMatch),
      newest_withheld: found.fitting.flatMap((one) => {
        const { withheld: reason } = one;
        return reason === undefined ? [] : wholeMatch(one).map((match) => withReason(match, reason));
      }),
    };
    return diagnostics.length > 0 ? { data, diagnostics } : { data };
  }

  /** A query as a new rule of the organization would have it. @throws {Problem} invalid_query, unknown_filter */
  readonly accepted = (organizationId: string, value: string): Query => {
    const { catalog, outside } = this.#deps;
    const settings = { quality: true, nsfw: false, now: outside.now() };
    return this.#accepted(catalog.data, organizationId, { value }, settings).query;
  };

  #accepted(
    data: CatalogData,
    organizationId: string,
    { value, tap }: Pick<RuleTrialOrder, 'value' | 'tap'>,
    settings: RuleSettings,
  ): { readonly query: Query; readonly diagnostics: readonly Diagnostic[] } {
    const own = data.taps.filter((one) => one.organizationId === organizationId);
    // The filters are the organization's; a tap that is not there is a slip that would go unnoticed.
    if (tap !== undefined) findOne('tap', own, tap);
    const validation = validate(value, { ...lookupIn(data, organizationId), ...settings });
    const { query, diagnostics, expanded } = validation;
    const name = unknownFilterIn(validation);
    if (name !== undefined) {
      throw new Problem('unknown_filter', { field: 'value', name, query: expanded, diagnostics });
    }
    if (!query) throw new Problem('invalid_query', { query: expanded, diagnostics });
    return { query, diagnostics };
  }
}

/** None where it is not told whole. */
function wholeMatch({ seq, at, document }: Fitting): TrialMatch[] {
  if (document === undefined) return [];
  return [{ seq, matched_at: new Date(at).toISOString(), document: JSON.parse(document) as MatchDocument }];
}

function withReason(match: TrialMatch, reason: Withheld): TrialWithheld {
  return { ...match, reason };
}

const NOTHING = { fitting: [], changes: 0, failed: 0, oldestAt: undefined, isComplete: true, next: undefined };

function countedBy(fitting: readonly Fitting[]): Record<Withheld, number> {
  const counts: Record<Withheld, number> = { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 };
  for (const { withheld } of fitting) if (withheld !== undefined) counts[withheld] += 1;
  return counts;
}
