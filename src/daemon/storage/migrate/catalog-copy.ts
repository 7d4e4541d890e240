import { StartFailure } from '../../start-failure.ts';
import { CATALOG_KINDS, type CatalogData } from '../catalog.ts';
import type { CopiedTable } from './copy.ts';
import { RowSum } from './rows.ts';

/**
 * The catalog as it was read, compared with what was found where it was written; the order of records counts.
 * @throws {StartFailure} where they differ
 */
export function comparedCatalog(read: CatalogData, found: CatalogData): CopiedTable {
  const [one, other] = [sumOf(read), sumOf(found)];
  if (one.rows === other.rows && one.checksum === other.checksum) {
    return { name: 'catalog', rows: one.rows, checksum: one.checksum };
  }
  throw new StartFailure(
    'environment',
    'the catalog that was written differs from what was read; nothing was kept. Please report this',
  );
}

function sumOf(data: CatalogData): RowSum {
  const sum = new RowSum();
  for (const kind of CATALOG_KINDS) {
    for (const [place, record] of data[kind].entries()) sum.add([kind, place, JSON.stringify(record)]);
  }
  return sum;
}
