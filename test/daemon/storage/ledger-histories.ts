import fc from 'fast-check';
import type { Ledger, UsageRow } from '../../../src/daemon/storage/ledger.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { eventFor, visitOf } from '../../fixtures/visits.ts';

/** Ports that a history of the ledger has to do with. */
export type LedgerPorts = Pick<Storage, 'eventLog' | 'ledger' | 'pages' | 'frontier'>;
type Command = (ports: LedgerPorts) => Promise<unknown>;

const organizationId = fc.constantFrom('o', 'p');
const tapId = fc.constantFrom('a', 'b');
const at = fc.nat(40).map((hours) => hours * 3_600_000);
const amount = fc.nat(60);

const granting = fc.record(
  { organizationId, amount, expiresAt: at, at },
  { requiredKeys: ['organizationId', 'amount', 'at'] },
);
const charging = fc
  .record({ tapId, from: fc.nat(25), length: fc.nat(12), at, price: fc.constantFrom(5, 5, 5, 3, 0) })
  .map(({ tapId: tap, from, length, at: now, price }) => {
    // A tap is one organization's.
    return { tapId: tap, organizationId: tap === 'a' ? 'o' : 'p', from, to: from + length, at: now, price };
  });
const rules = fc.uniqueArray(fc.constantFrom('r1', 'r2', 'r3'), { minLength: 1 });
const events = fc.record({ at, events: fc.array(fc.tuple(tapId, rules), { minLength: 1, maxLength: 8 }) });

const named = (name: string, value: unknown, command: Command) =>
  [`${name} ${JSON.stringify(value)}`, command] as const;
/** What a command does, in words, and itself. */
export const command = fc.oneof(
  { weight: 3, arbitrary: granting.map((one) => named('grant', one, ({ ledger }) => ledger.grantCredit(one))) },
  { weight: 1, arbitrary: granting.map((one) => named('set', one, ({ ledger }) => ledger.setCredit(one))) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(organizationId, at)
      .map(([one, now]) => named('unlimit', one, ({ ledger }) => ledger.unlimitCredit(one, now))),
  },
  { weight: 8, arbitrary: charging.map((one) => named('charge', one, ({ ledger }) => ledger.charge(one))) },
  {
    weight: 5,
    arbitrary: events.map((one) =>
      named('append', one, ({ pages }) => {
        const appended = one.events.map(([tap, ids]) => ({ ...eventFor(tap), queryIds: JSON.stringify(ids) }));
        return pages.commit(visitOf({ id: 1, holders: [] }, { at: one.at, events: appended, sourceIds: ['s'] }));
      }),
    ),
  },
  { weight: 1, arbitrary: at.map((one) => named('trim', one, ({ eventLog }) => eventLog.trim(one))) },
  { weight: 1, arbitrary: tapId.map((one) => named('drop', one, ({ eventLog }) => eventLog.drop(one))) },
  { weight: 1, arbitrary: at.map((one) => named('forget', one, ({ ledger }) => ledger.trimUsage(one))) },
);
/** All that a ledger can tell. */
export async function everything({ ledger }: Pick<LedgerPorts, 'ledger'>): Promise<unknown> {
  const of = ['o', 'p'].map(async (one) => [
    await Promise.all([0, 20, 50].map((hours) => ledger.account(one, hours * 3_600_000))),
    await ledger.creditHistory(one, 100),
    await Promise.all((['tap', 'day', 'rule'] as const).map((by) => usage(ledger, one, by))),
  ]);
  return [await ledger.prepaid(), await Promise.all(of)];
}

export function usage(ledger: Ledger, organization: string, by: 'tap' | 'day' | 'rule'): Promise<UsageRow[]> {
  return ledger.usage({ organizationId: organization, by, since: 0, atMost: 100 });
}
