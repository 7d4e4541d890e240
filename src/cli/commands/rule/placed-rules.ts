import type { Rule } from '../../../shared/api/rule.ts';
import type { RuleReport } from '../../../shared/api/rule-report.ts';
import type { Tap } from '../../../shared/api/tap.ts';
import type { Client } from '../../client/client.ts';
import { found, openTap } from '../../client/found.ts';
import type { Connection } from '../../runtime/context.ts';

/** What a rule is named by. */
export const RULE = 'its id, its tag, or the beginning of its id';

/** A rule with the tap it is on, which a tap's token alone does not know. */
export interface Placed {
  readonly rule: Rule;
  readonly tap: Tap | undefined;
  readonly token: string;
  /** What it matched, and what the filters left out; undefined where only the operator may know. */
  readonly report?: RuleReport | undefined;
}

/** Of a tap, or of all taps; with a tap's token, of that tap. */
export async function rulesOf(connection: Connection, client: Client, wanted: string | undefined): Promise<Placed[]> {
  if (wanted !== undefined || connection.credential.kind === 'tap') {
    const { token, tap } = await openTap(connection, client, wanted);
    return (await client.rules(token)).map((rule) => ({ rule, tap, token }));
  }
  const placed: Placed[] = [];
  for (const tap of await client.taps()) {
    for (const rule of await client.rules(tap.token)) placed.push({ rule, tap, token: tap.token });
  }
  return placed;
}

/** @throws {UsageError} where none, or more than one, is meant */
export function findRule(placed: readonly Placed[], wanted: string): Placed {
  const items = placed.map((one) => ({ ...one, id: one.rule.id }));
  return found('rule', items, wanted, (one) => one.rule.tag ?? one.rule.value);
}
