import { describe } from 'vitest';
import { catalogContract } from '../../contract/catalog.ts';
import { deliveriesContract } from '../../contract/deliveries.ts';
import { eventLogContract } from '../../contract/event-log.ts';
import { ledgerContract } from '../../contract/ledger.ts';
import { recentChangesContract } from '../../contract/recent-changes.ts';
import { ruleCountersContract } from '../../contract/rule-counters.ts';
import { savedMatchesContract } from '../../contract/saved-matches.ts';
import { severalNodesContract } from '../../contract/several-nodes.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

/**
 * In three files, each with a process of its own: every test starts a storage thread, and where hundreds of threads came and
 * went in one process, V8 has crashed, once in some dozen runs (as in nodejs/node#64500).
 */
describe('sqlite', () => {
  const openFresh = () => openIn(temporaryDir());
  catalogContract(async () => (await openFresh()).catalog);
  eventLogContract(openFresh);
  ledgerContract(openFresh);
  recentChangesContract(openFresh);
  ruleCountersContract(openFresh);
  savedMatchesContract(openFresh);
  deliveriesContract(openFresh);
  severalNodesContract(async () => {
    const storage = await openFresh();
    return [storage, storage, storage];
  });
});
