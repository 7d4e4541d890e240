import { outside } from '../../../../src/daemon/outside.ts';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { openMemory } from '../../../reference/storage/memory.ts';

/** One of the nodes that share a database. */
export async function openNode(url: string, node = 'one'): Promise<Storage> {
  const onError = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  const storage = await openPostgres({ url, node, outside, onError, groupCommitMs: 0 });
  return { ...storage, watches: openMemory().watches };
}
