import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { engineOn, methodsOf, workByName } from '../../../src/daemon/storage/sqlite/worker/engine.ts';
import { portsOver } from '../../../src/daemon/storage/sqlite/worker/operation.ts';
import type { Ledger } from '../../../src/daemon/storage/ledger.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { eventFor, seedLead, sourceOf, visitOf } from '../../fixtures/visits.ts';
import { temporaryDir } from './data-dirs.ts';

type Ports = Pick<Storage, 'eventLog' | 'ledger' | 'pages' | 'frontier'>;
type Command = (ports: Ports) => Promise<unknown>;

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
const command = fc.oneof(
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
/** A command, or one that was under way when the process died: nobody was told of it, and nothing is left of it. */
const step = fc
  .tuple(fc.boolean(), command)
  .map(([lives, one]) => ({ isCut: !lives && one[0].startsWith('charge'), one }));

/** The sqlite ports on an open database; each write is a transaction, or is cut before its commit. */
function portsOn(database: DatabaseSync, isCut: boolean): Ports {
  const { operations } = engineOn(database);
  const workOf = workByName(operations);
  return portsOver(methodsOf(operations), async (name, args) => {
    const work = workOf(name, args);
    if (!('step' in work)) return work.answer;
    for (;;) {
      database.exec('BEGIN IMMEDIATE');
      const { done, answer } = work.step();
      database.exec(isCut ? 'ROLLBACK' : 'COMMIT');
      if (done) return answer;
    }
  });
}

async function everything({ ledger }: Pick<Ports, 'ledger'>): Promise<unknown> {
  const of = ['o', 'p'].map(async (one) => [
    await Promise.all([0, 20, 50].map((hours) => ledger.account(one, hours * 3_600_000))),
    await ledger.creditHistory(one, 100),
    await Promise.all((['tap', 'day', 'rule'] as const).map((by) => usage(ledger, one, by))),
  ]);
  return [await ledger.prepaid(), await Promise.all(of)];
}

function usage(ledger: Ledger, organization: string, by: 'tap' | 'day' | 'rule') {
  return ledger.usage({ organizationId: organization, by, since: 0, atMost: 100 });
}

/** What went in is what is left, what was taken back, and what was spent. Returns what was spent. */
async function spent(ledger: Ledger, organization: string): Promise<number> {
  const entries = await ledger.creditHistory(organization, 1_000);
  expect(entries.every(({ left, withdrawn }) => left >= 0 && withdrawn >= 0)).toBe(true);
  return entries.reduce((sum, { amount: given, left, withdrawn }) => sum + given - left - withdrawn, 0);
}

const histories = fc.array(step, { minLength: 10, maxLength: 60 });

test('any history leaves the ledger that a list of offsets and deliveries leads to, crashes included', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
      database.exec('PRAGMA synchronous = OFF');
      const memory = openMemory();
      const sqlite = portsOn(database, false);
      for (const ports of [sqlite, memory]) {
        await ports.frontier.putSource(sourceOf('s'), [seedLead('http://a.example/')], 0);
      }
      for (const { isCut, one } of steps) {
        const [name, run] = one;
        const answer = await run(isCut ? portsOn(database, true) : sqlite);
        expect([name, answer]).toEqual([name, isCut ? answer : await run(memory)]);
      }
      expect(await everything(sqlite)).toEqual(await everything(memory));
      database.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('whatever happens, credit is conserved: what was spent is what the taps, the days and the rules cost', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const memory = openMemory();
      await memory.frontier.putSource(sourceOf('s'), [seedLead('http://a.example/')], 0);
      for (const { one } of steps) if (!one[0].startsWith('forget')) await one[1](memory);
      for (const organization of ['o', 'p']) {
        const whole = await spent(memory.ledger, organization);
        for (const by of ['tap', 'day', 'rule'] as const) {
          const rows = await usage(memory.ledger, organization, by);
          expect(rows.reduce((sum, row) => sum + row.spent, 0)).toBe(whole);
        }
      }
    }),
    { numRuns: 200 },
  );
});
