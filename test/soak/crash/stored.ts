import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { outside } from '../../../src/daemon/outside.ts';
import { monthOf } from '../../../src/daemon/storage/ledger.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { Findings } from './findings.ts';

/** `PRAGMA integrity_check` of a copy, as the last life left it: the files themselves are the next life's to recover. */
export function checkFile(dataDir: string, findings: Findings): void {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-crash-copy-'));
  try {
    for (const name of ['hydrant.db', 'hydrant.db-wal']) {
      if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(directory, name));
    }
    const database = new DatabaseSync(join(directory, 'hydrant.db'));
    const rows = database.prepare('PRAGMA integrity_check').all() as { readonly integrity_check: string }[];
    database.close();
    const faults = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    if (faults.length > 0) findings.contradict(`the database is damaged: ${faults.join('; ')}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * What no answer of the API says, of a storage that nobody writes to and that is closed afterwards: the history of each watch number by
 * number, and each check counted once.
 */
export async function checkWatches(storage: Storage, findings: Findings): Promise<void> {
  try {
    const { watches, ledger, catalog } = storage;
    for (const { id: organizationId } of catalog.data.organizations) {
      const records = await watches.watches({ organizationId, atMost: ALL });
      for (const { id, target } of records) {
        const numbers = (await watches.checks(id, { atMost: ALL })).toReversed().map(({ n }) => n);
        const first = numbers[0] ?? 1;
        if (numbers.some((n, at) => n !== first + at)) findings.lose(`checks of ${target}: ${numbers.join(' ')}`);
      }
      const checks = records.reduce((sum, record) => sum + record.checks, 0);
      const counted = await ledger.checks(organizationId, monthOf(outside.now()));
      const totals = await watches.watchTotals(outside.now());
      if (counted !== checks) findings.contradict(`${counted} checks are counted this month, there are ${checks}`);
      if (totals.checks !== checks) findings.contradict(`${totals.checks} checks are counted, there are ${checks}`);
      const changes = records.reduce((sum, record) => sum + record.changeCount, 0);
      if (totals.changes !== changes) findings.contradict(`${totals.changes} changes counted, there are ${changes}`);
    }
  } finally {
    await storage.close();
  }
}

const ALL = 1_000_000;
