import { type Static, Type } from 'typebox';
import { NAME_PATTERN } from './name-pattern.ts';
import { CREDIT_EXPIRES_SECONDS, GRANT_CREDITS } from '../limits.ts';

/** Spaces around it are left out. */
const Name = Type.String({ minLength: 1, maxLength: 255, pattern: NAME_PATTERN });
const Limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));

/** What an organization may have; null: no limit. */
export interface Allowance {
  readonly active_taps: number | null;
  readonly watched_urls: number | null;
  readonly checks_a_month: number | null;
  readonly fastest_minutes: number | null;
  readonly rules: number | null;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly allowed: Allowance;
  /** Names of `allowed` that are its own and not its plan's. */
  readonly own: readonly string[];
  readonly members: number;
  readonly taps: number;
  readonly active_taps: number;
  readonly rules: number;
  /** Watch crawls of this calendar month (UTC). */
  readonly checks: number;
  readonly created_at: string;
}

export const OrganizationCreation = Type.Object({
  name: Name,
  plan: Type.Optional(Type.String({ maxLength: 255 })),
  /** Name of its first admin; absent: `admin`. */
  admin: Type.Optional(Name),
});
export type OrganizationCreation = Static<typeof OrganizationCreation>;

export const OrganizationChange = Type.Object({
  name: Type.Optional(Name),
  plan: Type.Optional(Type.String({ maxLength: 255 })),
  /** Those named are changed. */
  limits: Type.Optional(
    Type.Object(
      { active_taps: Limit, watched_urls: Limit, checks_a_month: Limit, fastest_minutes: Limit, rules: Limit },
      { additionalProperties: false },
    ),
  ),
  /** First gives it its plan's numbers again. */
  reset_limits: Type.Optional(Type.Boolean()),
});
export type OrganizationChange = Static<typeof OrganizationChange>;

const Role = Type.Union([Type.Literal('admin'), Type.Literal('member')]);

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly role: 'admin' | 'member';
  /** Management keys that act as this member. */
  readonly keys: number;
  readonly created_at: string;
}

export const MemberCreation = Type.Object({ name: Name, role: Type.Optional(Role) });
export type MemberCreation = Static<typeof MemberCreation>;

export const MemberChange = Type.Object({ role: Role });
export type MemberChange = Static<typeof MemberChange>;

/** A management key as the operator sees it: never the key itself, which is shown once, at creation. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** `svcm_` and the first four characters: enough to recognize it by. */
  readonly prefix: string;
  /** The name of the member it acts as. */
  readonly member: string;
  readonly created_at: string;
}

export const KeyCreation = Type.Object({
  name: Name,
  /** Whom it acts as: an id or a name; absent: the organization's first admin. */
  member: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
export type KeyCreation = Static<typeof KeyCreation>;

export interface KeyCreated {
  readonly data: Key;
  readonly key: string;
}

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
