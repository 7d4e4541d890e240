/** What became of a rule, for the operator: the spec's rule object stays as it is. */
export interface RuleReport {
  readonly rule_id: string;
  readonly tap_id: string;
  /** Whether it is asked of no page because it is paused, or its tap. */
  readonly paused: boolean;
  /** Present where the rule itself is paused. */
  readonly rule_paused?: boolean;
  /** Why its query is refused, so that it matches nothing: an older version stored it. Absent where it is not. */
  readonly refused?: string;
  /** In the last 24 hours, whole hours of the clock and the one that has begun. */
  readonly matches: number;
  /** However long ago. */
  readonly last_match_at: string | null;
  /** Pages of the same time that fitted the query and were kept back, by reason. */
  readonly withheld: Readonly<Record<Withheld, number>>;
}

/**
 * Why a page that fits a rule's query is kept from it: the `quality` filter wants a publish date, none in the future or
 * older than seven days, and no address of a list; without `nsfw` there are no adult pages (spec, Rule).
 */
export const WITHHELD_REASONS = ['no_date', 'too_old', 'future_date', 'url', 'adult'] as const;
export type Withheld = (typeof WITHHELD_REASONS)[number];
