import { type Static, Type } from 'typebox';
import { TRIAL_SECONDS, TRIAL_SHOWN } from '../limits.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { MatchDocument } from './match.ts';
import type { Withheld } from './withheld.ts';

/** A rule that is not saved, to be tried on the changes of the last day. `tap`: its name or id, for its saved filters. */
export const RuleTrialOrder = Type.Object({
  value: Type.String({ description: 'The query.' }),
  nsfw: Type.Optional(Type.Boolean({ default: false })),
  quality: Type.Optional(Type.Boolean({ default: true })),
  since_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: TRIAL_SECONDS, default: TRIAL_SECONDS })),
  /** Matches that are told whole, the newest. */
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: TRIAL_SHOWN, default: 10 })),
  tap: Type.Optional(Type.String()),
});
export type RuleTrialOrder = Static<typeof RuleTrialOrder>;

/** What a rule would have matched. */
export interface RuleTrial {
  /** The time it was asked for. */
  readonly since: string;
  /** Whether the daemon keeps changes at all (setting `recent-bytes`). */
  readonly kept: boolean;
  /** Changes that were looked at, and how many of them could not be read; the oldest of them. */
  readonly changes: number;
  readonly failed: number;
  readonly oldest_at: string | null;
  /** False: the time for a trial was up, and older changes were not looked at. */
  readonly complete: boolean;
  /** Changes that match, how many pages those are, and of how many domains. */
  readonly matches: number;
  readonly pages: number;
  readonly domains: number;
  /** Changes that fit the query and would have been kept back, by reason. */
  readonly withheld: Readonly<Record<Withheld, number>>;
  readonly newest: readonly TrialMatch[];
}

export interface TrialMatch {
  readonly matched_at: string;
  readonly document: MatchDocument;
}

/** What there is to say of the query stands beside it. */
export interface RuleTrialAnswer {
  readonly data: RuleTrial;
  readonly diagnostics?: readonly Diagnostic[];
}
