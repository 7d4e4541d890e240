import { describe } from 'vitest';
import { watchesContract } from '../../../contract/watches.ts';
import { dropDatabase, freshDatabase, hasPostgres, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`watches in PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  watchesContract(async () => {
    const url = await freshDatabase();
    const storage = await openNode(url);
    return { ...storage, close: async () => storage.close().then(() => dropDatabase(url)) };
  });
});
