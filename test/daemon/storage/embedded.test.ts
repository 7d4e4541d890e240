import { describe } from 'vitest';
import { catalogContract } from '../../contract/catalog.ts';
import { eventLogContract } from '../../contract/event-log.ts';
import { frontierContract } from '../../contract/frontier.ts';
import { ledgerContract } from '../../contract/ledger.ts';
import { pagesContract } from '../../contract/pages.ts';
import { ratingsContract } from '../../contract/ratings.ts';
import { robotsCopiesContract } from '../../contract/robots-copies.ts';
import { ruleCountersContract } from '../../contract/rule-counters.ts';
import { savedMatchesContract } from '../../contract/saved-matches.ts';
import { turnoverContract } from '../../contract/turnover.ts';
import { watchesContract } from '../../contract/watches.ts';
import { openIn, temporaryDir } from './house.ts';

describe('embedded', () => {
  const openFresh = () => openIn(temporaryDir());
  catalogContract(async () => (await openFresh()).catalog);
  eventLogContract(openFresh);
  frontierContract(openFresh);
  ledgerContract(openFresh);
  turnoverContract(openFresh);
  pagesContract(openFresh);
  ratingsContract(openFresh);
  robotsCopiesContract(openFresh);
  ruleCountersContract(openFresh);
  savedMatchesContract(openFresh);
  watchesContract(openFresh);
});
