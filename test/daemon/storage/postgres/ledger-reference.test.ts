import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { seedLead, sourceOf } from '../../../fixtures/visits.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { openMemory } from '../../../reference/storage/memory.ts';
import { command, everything } from '../ledger-histories.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`the ledger of PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let database: Database;
  beforeAll(async () => {
    url = await freshDatabase();
    database = new Database({ url });
  });
  afterAll(async () => {
    await database.close();
    await returnDatabase(url);
  });

  /** Three nodes of an empty database. */
  const openNodes = async (): Promise<Storage[]> => {
    await database.transaction((transaction) =>
      transaction.execute(`TRUNCATE taps, events, charged, credit_accounts, credit_entries, usage, checks;
        UPDATE log SET dropped_up_to = 0`),
    );
    return Promise.all(['one', 'two', 'three'].map((node) => openNode(url, node)));
  };

  test('is what a list of offsets and deliveries leads to, whichever node did what', async () => {
    const steps = fc.array(fc.tuple(fc.nat(2), command), { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const memory = openMemory('several');
        const nodes = await openNodes();
        for (const ports of [memory, ...nodes]) {
          await ports.frontier.putSource(sourceOf('s'), [seedLead('http://a.example/')], 0);
        }
        for (const [node, [name, run]] of history) {
          expect([name, await run(nodes[node] ?? memory)]).toEqual([name, await run(memory)]);
        }
        for (const node of nodes) expect(await everything(node)).toEqual(await everything(memory));
        for (const node of nodes) await node.close();
      }),
      // Each opens three nodes.
      { numRuns: 8 },
    );
  });
});
