import { adultOf } from '../../src/shared/label/adult/adult.ts';
import { pageTypesOf } from '../../src/shared/label/page-type/page-type.ts';
import { extract } from '../../src/shared/page/read/extract.ts';
import type { Page } from '../../src/shared/page/page.ts';
import { fileOf, labelledPages, type Half } from './corpus.ts';
import type { Figure } from './run.ts';

/**
 * Page types against the labels of `types` and `pages`. Each page there has one value and others that count as right
 * too: its family, and near kinds. What we give first is compared; a family is the part before the second `/`.
 *
 * No page of the corpus is for adults. One of the build half counts as one, since it says `isFamilyFriendly` false of
 * itself: a wine shop's.
 */
export function figures(half: Half): Promise<Figure[]> {
  const read = readAll(half);
  const judged = read.filter(({ accepted }) => accepted.size > 0);
  const spoken = judged.filter(({ given }) => given.length > 0);
  const families = (values: Iterable<string>): Set<string> => new Set([...values].map(familyOf));
  const rightFamily = spoken.filter(({ given, accepted }) => families(accepted).has(familyOf(given[0] ?? '')));
  const onlyRight = spoken.filter(({ given, accepted }) => {
    const right = families(accepted);
    return given.every((value) => right.has(familyOf(value)));
  });
  const rightValue = spoken.filter(({ given, accepted }) => accepted.has(given[0] ?? ''));
  const exact = spoken.filter(({ given, label }) => given.includes(label));
  const of = `${judged.length} labelled pages`;
  const where = `${spoken.length} of them with a label`;
  return Promise.resolve([
    { name: 'right family', value: rightFamily.length / judged.length, of, goal: 0.9 },
    { name: 'right family, where it speaks', value: rightFamily.length / spoken.length, of: where, goal: 0.95 },
    { name: 'no wrong family among all labels', value: onlyRight.length / spoken.length, of: where },
    { name: 'right value', value: rightValue.length / judged.length, of },
    { name: 'right value, where it speaks', value: rightValue.length / spoken.length, of: where },
    { name: 'the very value is among the labels', value: exact.length / judged.length, of },
    { name: 'right family, without what it tells machines', value: familiesOf(judged, withoutMetadata), of },
    { name: 'right family, without address and title too', value: familiesOf(judged, asShown), of },
    { name: 'speaks', value: spoken.length / judged.length, of },
    {
      name: 'speaks, labelled or not',
      value: read.filter(({ given }) => given.length > 0).length / read.length,
      of: `${read.length} pages`,
    },
    {
      name: 'pages for adults',
      value: read.filter(({ isAdult }) => isAdult).length,
      of: `${read.length} pages, none of them about it`,
      goal: 0,
    },
    { name: 'milliseconds a page', value: costOf(read.map(({ page }) => page)), of: `${read.length} pages`, goal: 1 },
  ]);
}

interface Read {
  readonly page: Page;
  readonly label: string;
  readonly accepted: ReadonlySet<string>;
  readonly given: readonly string[];
  readonly isAdult: boolean;
}

function readAll(half: Half): Read[] {
  return (['pages', 'types'] as const).flatMap((folder) =>
    labelledPages(folder, half).flatMap(({ file, url, lang, page_type: label, page_type_accept: accept }) => {
      const bytes = fileOf(folder, file);
      const read = extract({ url: url ?? 'https://example.com/page', contentType: 'text/html', bytes });
      if (!read.ok) return [];
      const accepted = new Set([...(label === undefined ? [] : [label]), ...(accept ?? [])]);
      const given = pageTypesOf(read.page).map(({ value }) => value);
      return [
        {
          page: read.page,
          label: label ?? '',
          accepted,
          given,
          isAdult: adultOf(read.page, lang ?? undefined) !== undefined,
        },
      ];
    }),
  );
}

/** The part of the pages whose family is right when something of each is taken away. */
function familiesOf(read: readonly Read[], reduced: (page: Page) => Page): number {
  const right = read.filter(({ page, accepted }) => {
    const [first] = pageTypesOf(reduced(page));
    return first !== undefined && [...accepted].some((value) => familyOf(value) === familyOf(first.value));
  });
  return right.length / read.length;
}

function withoutMetadata(page: Page): Page {
  const { ogType: _type, generator: _generator, ...facts } = page.facts;
  return { ...page, facts: { ...facts, schemaTypes: [], sections: [] } };
}

/** With the path `/` alone, where that is its path. */
function asShown(page: Page): Page {
  const { title: _title, ...rest } = withoutMetadata(page);
  const path = URL.parse(page.url)?.pathname === '/' ? '/' : '/page';
  return { ...rest, url: `https://example.com${path}` };
}

function familyOf(value: string): string {
  return value.split('/', 2).join('/');
}

/** Of the processor, since others may use it too. All pages were labelled once before, so the code is warm. */
function costOf(pages: readonly Page[]): number {
  const start = process.cpuUsage();
  for (const page of pages) pageTypesOf(page);
  return process.cpuUsage(start).user / 1000 / pages.length;
}
