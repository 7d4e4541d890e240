import { type Static, Type } from 'typebox';
import { TAG_LENGTH, TRIAL_SECONDS, TRIAL_SHOWN } from '../limits.ts';
import { TAG_PATTERN } from './name-pattern.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { MatchDocument } from './match.ts';
import type { Withheld } from './rule-report.ts';

/** A rule on the wire (spec: Resources, Rule): one stored query of a tap. An absent `tag` is left out. */
export const Rule = Type.Object(
  {
    id: Type.String(),
    value: Type.String(),
    tag: Type.Optional(Type.String()),
    nsfw: Type.Boolean(),
    quality: Type.Boolean(),
  },
  { title: 'Rule' },
);
export type Rule = Static<typeof Rule>;

const fields = {
  value: Type.String({ description: 'The query.' }),
  tag: Type.Optional(Type.Union([Type.String({ maxLength: TAG_LENGTH, pattern: TAG_PATTERN }), Type.Null()])),
  nsfw: Type.Optional(Type.Boolean({ default: false, description: 'true takes adult pages too.' })),
  quality: Type.Optional(
    Type.Boolean({ default: true, description: 'true takes pages of the last 7 days alone, and no index pages.' }),
  ),
};

/** `tag: null` means no tag: clients that build JSON from a struct send it so. */
export const RuleCreation = Type.Object(fields, {
  examples: [{ value: 'title:ferry AND language:en', tag: 'ferries' }],
});
export type RuleCreation = Static<typeof RuleCreation>;

export const RuleChange = Type.Partial(Type.Object(fields), { examples: [{ quality: false }] });
export type RuleChange = Static<typeof RuleChange>;

/** `PATCH /admin/rules/:id`. */
export const RulePause = Type.Object({ paused: Type.Boolean() });

/** A rule that is not saved, to be tried on the changes of the last day. `tap`: its name or id, for its saved filters. */
export const RuleTrialOrder = Type.Object({
  value: Type.String({ description: 'The query.' }),
  nsfw: Type.Optional(Type.Boolean({ default: false })),
  quality: Type.Optional(Type.Boolean({ default: true })),
  since_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: TRIAL_SECONDS, default: TRIAL_SECONDS })),
  /** Matches that are told whole, the newest. */
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: TRIAL_SHOWN, default: 10 })),
  tap: Type.Optional(Type.String()),
  /** `next` of a former answer: goes on there, and ends where `limit` matches are found. */
  before: Type.Optional(Type.Integer({ minimum: 0 })),
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
  /** `before` of the request that goes on; absent: no older change is kept. */
  readonly next?: number;
  /** Changes that match, how many pages those are, and of how many domains. */
  readonly matches: number;
  readonly pages: number;
  readonly domains: number;
  /** Changes that fit the query and would have been kept back, by reason. */
  readonly withheld: Readonly<Record<Withheld, number>>;
  readonly newest: readonly TrialMatch[];
  /** The newest of those that fit the query and would have been kept back: what they would have delivered. */
  readonly newest_withheld?: readonly TrialWithheld[];
}

export interface TrialWithheld extends TrialMatch {
  readonly reason: Withheld;
}

export interface TrialMatch {
  /** Of the change; newer ones have higher ones. */
  readonly seq?: number;
  readonly matched_at: string;
  readonly document: MatchDocument;
}

/** What there is to say of the query stands beside it. */
export interface RuleTrialAnswer {
  readonly data: RuleTrial;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A saved filter as the operator sees it: `$name` in a query of its organization stands for `(value)`. */
export interface Filter {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly created_at: string;
}

/** A rule whose query refers to a filter. */
export interface FilterUse {
  readonly rule_id: string;
  readonly tap_id: string;
  readonly tag?: string;
  readonly value: string;
}

/** A filter that was saved, and what there is to say about its text all the same. */
export interface FilterSaved {
  readonly data: Filter;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A name is without the `$`; what it may be is told by the room, in words. */
export const FilterCreation = Type.Object({ name: Type.String(), value: Type.String() });
export type FilterCreation = Static<typeof FilterCreation>;

export const FilterChange = Type.Partial(FilterCreation);
export type FilterChange = Static<typeof FilterChange>;
