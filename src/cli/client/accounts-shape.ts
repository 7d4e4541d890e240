import type { Credit, CreditEntry, Usage } from '../../shared/api/credit.ts';
import type { Allowance, Member, Organization } from '../../shared/api/organization.ts';
import { flag, listOf, number, oneOf, orNull, shaped, text } from './shape.ts';

/** Guards of the answers about organizations and credit; see `shape.ts`. */
const limit = orNull(number);
const isText = (value: unknown): value is string => text(value);

export const isOrganization = shaped<Organization>({
  id: text,
  name: text,
  plan: text,
  allowed: shaped<Allowance>({
    active_taps: limit,
    watched_urls: limit,
    checks_a_month: limit,
    fastest_minutes: limit,
    rules: limit,
  }),
  own: listOf(isText),
  members: number,
  taps: number,
  active_taps: number,
  rules: number,
  checks: number,
  created_at: text,
});

export const isMember = shaped<Member>({
  id: text,
  name: text,
  role: oneOf('admin', 'member'),
  keys: number,
  created_at: text,
});

export const isCredit = shaped<Credit>({
  unlimited: flag,
  balance: number,
  grants: number,
  expires_next: orNull(text),
  match_price: number,
  matches_left: orNull(number),
});

export const isCreditEntry = shaped<CreditEntry>({
  at: text,
  kind: oneOf('grant', 'set', 'unlimited'),
  amount: number,
  left: number,
  withdrawn: number,
  expires_at: orNull(text),
  expired: flag,
});

export const isUsage = shaped<Usage>({
  id: text,
  tap: orNull(text),
  name: orNull(text),
  matches: number,
  spent: number,
});
