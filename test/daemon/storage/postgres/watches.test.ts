import { describe } from 'vitest';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { watchesContract } from '../../../contract/watches.ts';
import { dropDatabase, freshDatabase, hasPostgres, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';

describe.skipIf(!hasPostgres)(`watches in PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  watchesContract(async (): Promise<Storage> => {
    const url = await freshDatabase();
    const onError = (what: string, error: unknown): never => {
      throw new Error(what, { cause: error });
    };
    const storage = await openPostgres({
      url,
      node: 'a',
      outside: { uuid: () => crypto.randomUUID() },
      onError,
      groupCommitMs: 0,
    });
    return { ...storage, close: async () => storage.close().then(() => dropDatabase(url)) };
  });
});
