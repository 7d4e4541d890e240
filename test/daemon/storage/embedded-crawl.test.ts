import { describe } from 'vitest';
import { frontierContract } from '../../contract/frontier.ts';
import { pagesContract } from '../../contract/pages.ts';
import { ratingsContract } from '../../contract/ratings.ts';
import { robotsCopiesContract } from '../../contract/robots-copies.ts';
import { hostClassesContract } from '../../contract/host-classes.ts';
import { turnoverContract } from '../../contract/turnover.ts';
import { openIn, temporaryDir } from './house.ts';

describe('embedded, the crawl', () => {
  const openFresh = () => openIn(temporaryDir());
  frontierContract(openFresh);
  hostClassesContract(openFresh);
  turnoverContract(openFresh);
  pagesContract(openFresh);
  ratingsContract(openFresh);
  robotsCopiesContract(openFresh);
});
