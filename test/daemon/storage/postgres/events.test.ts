import { afterEach, describe } from 'vitest';
import { deliveriesContract } from '../../../contract/deliveries.ts';
import { eventLogContract } from '../../../contract/event-log.ts';
import { ledgerContract } from '../../../contract/ledger.ts';
import { ratingsContract } from '../../../contract/ratings.ts';
import { recentChangesContract } from '../../../contract/recent-changes.ts';
import { robotsCopiesContract } from '../../../contract/robots-copies.ts';
import { ruleCountersContract } from '../../../contract/rule-counters.ts';
import { savedMatchesContract } from '../../../contract/saved-matches.ts';
import { severalNodesContract } from '../../../contract/several-nodes.ts';
import type { Storage } from '../../../../src/daemon/storage/storage.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { openNode } from './open-node.ts';

describe.skipIf(!hasPostgres)(`postgres${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  const urls: string[] = [];
  const database = async (): Promise<string> => {
    const url = await freshDatabase();
    urls.push(url);
    return url;
  };
  const open = async (): Promise<Storage> => openNode(await database());
  afterEach(async () => {
    for (const url of urls.splice(0)) await returnDatabase(url);
  }, 60_000);

  eventLogContract(open);
  ledgerContract(open);
  recentChangesContract(open);
  ruleCountersContract(open);
  savedMatchesContract(open);
  deliveriesContract(open);
  ratingsContract(open);
  robotsCopiesContract(open);
  severalNodesContract(async () => {
    const url = await database();
    return [await openNode(url, 'one'), await openNode(url, 'two'), await openNode(url, 'three')];
  });
});
