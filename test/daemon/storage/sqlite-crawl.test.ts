import { describe } from 'vitest';
import { frontierContract } from '../../contract/frontier.ts';
import { pagesContract } from '../../contract/pages.ts';
import { ratingsContract } from '../../contract/ratings.ts';
import { robotsCopiesContract } from '../../contract/robots-copies.ts';
import { hostsContract } from '../../contract/frontier-hosts.ts';
import { turnoverContract } from '../../contract/eviction.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

describe('sqlite, the crawl', () => {
  const openFresh = () => openIn(temporaryDir());
  frontierContract(openFresh);
  hostsContract(openFresh);
  turnoverContract(openFresh);
  pagesContract(openFresh);
  ratingsContract(openFresh);
  robotsCopiesContract(openFresh);
});
