import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { engineOn, methodsOf, workByName } from '../../../src/daemon/storage/sqlite/worker/engine.ts';
import { portsOver } from '../../../src/daemon/storage/sqlite/worker/operation.ts';
import type { Ledger } from '../../../src/daemon/storage/ledger.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { seedLead, sourceOf } from '../../fixtures/visits.ts';
import { temporaryDir } from './data-dirs.ts';
import { command, everything, type LedgerPorts, usage } from './ledger-histories.ts';

/** A command, or one that was under way when the process died: nobody was told of it, and nothing is left of it. */
const step = fc
  .tuple(fc.boolean(), command)
  .map(([lives, one]) => ({ isCut: !lives && one[0].startsWith('charge'), one }));

/** The sqlite ports on an open database; each write is a transaction, or is cut before its commit. */
function portsOn(database: DatabaseSync, isCut: boolean): LedgerPorts {
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
