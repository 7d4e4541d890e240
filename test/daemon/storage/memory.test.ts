import { describe } from 'vitest';
import { openMemory } from '../../../src/daemon/storage/memory/memory.ts';
import { catalogContract } from '../../contract/catalog.ts';
import { eventLogContract } from '../../contract/event-log.ts';
import { frontierContract } from '../../contract/frontier.ts';
import { ledgerContract } from '../../contract/ledger.ts';
import { pagesContract } from '../../contract/pages.ts';
import { ratingsContract } from '../../contract/ratings.ts';
import { recentChangesContract } from '../../contract/recent-changes.ts';
import { robotsCopiesContract } from '../../contract/robots-copies.ts';
import { ruleCountersContract } from '../../contract/rule-counters.ts';
import { savedMatchesContract } from '../../contract/saved-matches.ts';
import { turnoverContract } from '../../contract/turnover.ts';
import { watchesContract } from '../../contract/watches.ts';

describe('memory', () => {
  catalogContract(async () => openMemory().catalog);
  eventLogContract(async () => openMemory());
  frontierContract(async () => openMemory());
  ledgerContract(async () => openMemory());
  turnoverContract(async () => openMemory());
  pagesContract(async () => openMemory());
  ratingsContract(async () => openMemory());
  recentChangesContract(async () => openMemory());
  robotsCopiesContract(async () => openMemory());
  ruleCountersContract(async () => openMemory());
  savedMatchesContract(async () => openMemory());
  watchesContract(async () => openMemory());
});
