import { describe } from 'vitest';
import { watchesContract } from '../../contract/watches.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

describe('sqlite, watches', () => {
  const openFresh = () => openIn(temporaryDir());
  watchesContract(openFresh);
});
