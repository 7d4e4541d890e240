import { outside } from '../../../../src/daemon/outside.ts';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';

/** One of the nodes that share a database. */
export async function openNode(url: string, node = 'one'): Promise<Storage> {
  const onError = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  return openPostgres({ url, node, outside, onError, groupCommitMs: 0 });
}
