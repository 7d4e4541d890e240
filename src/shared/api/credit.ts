import { type Static, Type } from 'typebox';
import { CREDIT_EXPIRES_SECONDS, GRANT_CREDITS } from '../limits.ts';

/** Amounts are credits, in thousandths: `12.345`. */
export interface Credit {
  readonly unlimited: boolean;
  /** What is left; it may be there although credit is unlimited. */
  readonly balance: number;
  readonly grants: number;
  /** When the next grant expires. */
  readonly expires_next: string | null;
  /** Of a match, when it is first delivered. */
  readonly match_price: number;
  /** Matches the balance pays; null: any number. */
  readonly matches_left: number | null;
}

export interface CreditEntry {
  readonly at: string;
  readonly kind: 'grant' | 'set' | 'unlimited';
  readonly amount: number;
  readonly left: number;
  readonly withdrawn: number;
  readonly expires_at: string | null;
  readonly expired: boolean;
}

export interface Usage {
  /** The id of the tap or rule, or the day: `2026-02-27`. */
  readonly id: string;
  /** Of a rule: its tap. */
  readonly tap: string | null;
  /** The tap's name or the rule's query; null for a day, and for what is no more. */
  readonly name: string | null;
  readonly matches: number;
  readonly spent: number;
}

const expires = Type.Optional(Type.Integer({ minimum: 1, maximum: CREDIT_EXPIRES_SECONDS }));

export const CreditGrant = Type.Object({
  amount: Type.Number({ minimum: 0.001, maximum: GRANT_CREDITS }),
  expires_in_seconds: expires,
});
export type CreditGrant = Static<typeof CreditGrant>;

export const CreditChange = Type.Object({
  /** null: unlimited. */
  balance: Type.Union([Type.Number({ minimum: 0, maximum: GRANT_CREDITS }), Type.Null()]),
  expires_in_seconds: expires,
});
export type CreditChange = Static<typeof CreditChange>;

/** Parameters of an address are text. */
export const UsageQuestion = Type.Object({
  by: Type.Optional(Type.Union([Type.Literal('tap'), Type.Literal('day'), Type.Literal('rule')])),
  since_seconds: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
});
export type UsageQuestion = Static<typeof UsageQuestion>;
