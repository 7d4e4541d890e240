import { StartFailure } from '../../../start-failure.ts';
import type { Queryable } from '../connection/database.ts';

/**
 * Tokens are sealed with one secret, which every node has in its data directory: that of the first one counts.
 * @throws {StartFailure} for a node that has another
 */
export async function refuseOtherSecret(database: Queryable, fingerprint: Uint8Array): Promise<void> {
  await database.query('INSERT INTO instance (id, secret_fingerprint) VALUES (1, $1) ON CONFLICT (id) DO NOTHING', [
    fingerprint,
  ]);
  const same = await database.query('SELECT 1 FROM instance WHERE secret_fingerprint = $1', [fingerprint]);
  if (same.length > 0) return;
  throw new StartFailure(
    'configuration',
    'the data directory has another secret than the other daemons of this database, and could not read what they sealed; ' +
      'copy the file secret from the data directory of one of them over the one in this',
  );
}
