import { describe } from 'vitest';
import { openMemory } from '../../reference/storage/memory.ts';
import { catalogContract } from '../../contract/catalog.ts';
import { deliveriesContract } from '../../contract/deliveries.ts';
import { eventLogContract } from '../../contract/event-log.ts';
import { frontierContract } from '../../contract/frontier.ts';
import { ledgerContract } from '../../contract/ledger.ts';
import { pagesContract } from '../../contract/pages.ts';
import { ratingsContract } from '../../contract/ratings.ts';
import { recentChangesContract } from '../../contract/recent-changes.ts';
import { robotsCopiesContract } from '../../contract/robots-copies.ts';
import { ruleCountersContract } from '../../contract/rule-counters.ts';
import { savedMatchesContract } from '../../contract/saved-matches.ts';
import { severalNodesContract } from '../../contract/several-nodes.ts';
import { hostsContract } from '../../contract/frontier-hosts.ts';
import { turnoverContract } from '../../contract/eviction.ts';
import { watchesContract } from '../../contract/watches.ts';

describe('memory', () => {
  catalogContract(async () => openMemory().catalog);
  eventLogContract(async () => openMemory());
  frontierContract(async () => openMemory());
  ledgerContract(async () => openMemory());
  hostsContract(async () => openMemory());
  turnoverContract(async () => openMemory());
  pagesContract(async () => openMemory());
  ratingsContract(async () => openMemory());
  recentChangesContract(async () => openMemory());
  robotsCopiesContract(async () => openMemory());
  ruleCountersContract(async () => openMemory());
  savedMatchesContract(async () => openMemory());
  deliveriesContract(async () => openMemory());
  severalNodesContract(async () => {
    const storage = openMemory();
    return [storage, storage, storage];
  });
  watchesContract(async () => openMemory());
});

describe('memory of several writers', () => {
  eventLogContract(async () => openMemory('several'));
  recentChangesContract(async () => openMemory('several'));
});
