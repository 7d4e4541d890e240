import { afterEach, describe } from 'vitest';
import { outside } from '../../../../src/daemon/outside.ts';
import { openPostgres } from '../../../../src/daemon/storage/postgres/postgres-storage.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { turnoverContract } from '../../../contract/eviction.ts';
import { hostsContract } from '../../../contract/frontier-hosts.ts';
import { frontierContract } from '../../../contract/frontier.ts';
import { pagesContract } from '../../../contract/pages.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';

describe.skipIf(!hasPostgres)(`postgres, the crawl${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  const urls: string[] = [];
  const open = async (): Promise<Storage> => {
    const url = await freshDatabase();
    urls.push(url);
    const onError = (what: string, cause: unknown): never => {
      throw new Error(what, { cause });
    };
    return openPostgres({ url, node: 'one', outside, onError, groupCommitMs: 0 });
  };
  afterEach(async () => {
    for (const url of urls.splice(0)) await returnDatabase(url);
  });

  frontierContract(open);
  hostsContract(open);
  turnoverContract(open);
  pagesContract(open);
});
