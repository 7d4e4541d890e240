import { extract } from '../../src/shared/page/read/extract.ts';
import { fold } from '../../src/shared/page/read/fold.ts';
import { TITLE_LENGTH } from '../../src/shared/limits.ts';
import type { Page, PublishTime } from '../../src/shared/page/page.ts';
import { fileOf, labelledPages, type Half, type LabelledPage } from './corpus.ts';
import type { Figure } from './run.ts';

/**
 * Title and publication time against the manifests of `pages` and `types`. The manifest's dates were read by a script:
 * meta elements, JSON-LD, and where there are none the first `<time>` of the page. So it misses dates that a reader
 * sees, and takes the date of the first teaser for one of a home page.
 *
 * A date is right to the day when it falls on the manifest's day, as written or in UTC. Where the manifest has none
 * and we give one, `reviewed` tells what the page says to a reader: true where the page shows that day as its
 * publication (a byline, a dated address of an article), false where the day is another's. Not reviewed is false.
 */
export function figures(half: Half): Promise<Figure[]> {
  const read = (['pages', 'types'] as const).flatMap((folder) =>
    labelledPages(folder, half).map((labelled) => ({ labelled, page: pageOf(folder, labelled) })),
  );
  const titled = read.filter(({ labelled }) => labelled.title !== null);
  const dated = read.filter(({ labelled }) => isDated(labelled));
  const articles = dated.filter(({ labelled }) => !isFirstOfHome(labelled));
  const undated = read.filter(({ labelled }) => !isDated(labelled));
  const given = undated.filter(({ page }) => page?.publishTime);
  const invented = given.filter(({ labelled }) => !REVIEWED.has(keyOf(labelled)));
  const share = (part: readonly unknown[], all: readonly unknown[]): number => part.length / all.length;
  const isRight = ({ labelled, page }: Read): boolean => sameDay(page?.publishTime, labelled.published ?? '');
  return Promise.resolve([
    {
      name: 'title: exact',
      value: share(
        titled.filter(({ labelled, page }) => page?.title === wanted(labelled.title)),
        titled,
      ),
      of: `${titled.length} pages`,
      goal: 0.97,
    },
    {
      name: 'publish time: right to the day',
      value: share(articles.filter(isRight), articles),
      of: `${articles.length} pages with a date`,
      goal: 0.93,
    },
    {
      name: 'publish time: with the first teaser of home pages',
      value: share(dated.filter(isRight), dated),
      of: `${dated.length} pages with a date`,
    },
    {
      name: 'publish time: given where the manifest has none',
      value: share(given, undated),
      of: `${undated.length} pages without a date`,
    },
    {
      name: 'publish time: of those, invented',
      value: share(invented, undated),
      of: `${undated.length} pages without a date, ${given.length} reviewed`,
      goal: 0.01,
    },
    ...fromReaders(half, undated),
  ]);
}

/**
 * What rests on what people see: of the days that a page shows and its manifest has not (of the check half alone, where
 * all pages were looked at), those that we give; and of pages that are dated by metadata, those that have the same day
 * when metadata and address are taken away. Not all of them show one, and some show that of an update.
 */
function fromReaders(half: Half, undated: readonly Read[]): Figure[] {
  const shown = undated.filter(({ labelled }) => SHOWN.has(keyOf(labelled)) || MISSED.has(keyOf(labelled)));
  const seen = shown.filter(({ page }) => page?.publishTime);
  const bared = (['pages', 'types'] as const).flatMap((folder) =>
    labelledPages(folder, half).flatMap((labelled) => readBare(folder, labelled)),
  );
  const right = bared.filter(({ found, days }) => days.includes(found?.local.slice(0, 10) ?? ''));
  const given = bared.filter(({ found }) => found);
  const of = `${bared.length} pages dated by metadata`;
  const share = (part: readonly unknown[], all: readonly unknown[]): number => part.length / Math.max(1, all.length);
  return [
    ...(half === 'check'
      ? [
          {
            name: 'publish time: a day that only people see',
            value: share(seen, shown),
            of: `${shown.length} pages that show one`,
            goal: 0.85,
          },
        ]
      : []),
    { name: 'publish time: without metadata, right', value: share(right, bared), of },
    { name: 'publish time: without metadata, another day', value: share(given, bared) - share(right, bared), of },
  ];
}

interface Bared {
  readonly found: PublishTime | undefined;
  readonly days: readonly string[];
}

function readBare(folder: 'pages' | 'types', labelled: LabelledPage): Bared[] {
  const known = pageOf(folder, labelled)?.publishTime;
  if (labelled.published === null || labelled.published_source === 'first time element' || !known) return [];
  const url = new URL(labelled.url ?? 'https://example.com/page');
  const bare = url.pathname === '/' ? url.href : `${url.origin}/some-page-of-it`;
  const html = Buffer.from(fileOf(folder, labelled.file)).toString('latin1');
  const bytes = Buffer.from(html.replaceAll(METADATA, ''), 'latin1');
  const read = extract({ url: bare, contentType: 'text/html', bytes });
  const days = [known.local, new Date(known.instant).toISOString()].map((time) => time.slice(0, 10));
  return [{ found: read.ok ? read.page.publishTime : undefined, days }];
}

/** JSON-LD, meta elements but for the charset, and the attributes of microdata and RDFa. */
const METADATA =
  /<script\b[^>]*ld\+json[^>]*>[\s\S]*?<\/script>|<meta\b(?![^>]*charset)[^>]*>|\s(?:itemprop|itemtype|itemscope|typeof|property|pubdate)\b(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?/gi;

/**
 * By the six characters of its hash that end a file's name: pages that show the day as their publication, looked at one
 * by one. In a line beside the headline unless told otherwise. Not among them, so wrong: `6f99d2`, an article without a
 * date of its own, where the first of the related articles is dated.
 */
const SHOWN: ReadonlySet<string> = new Set(
  [
    // Articles and speeches, with a line under the headline or before it.
    'f2cc76 f779ba 3f29b7 9da800 f4122d b38859 742485 442f3f 0091f4 3dd0da 12946f cc43c3',
    'e056aa fc8229 26217b 5b5e62 7c8f0f d2b525 321fa6 8bdd34 93b2e7 b12a55 04c046 b2b79d e3270f c7f7af d2f575 51c9cf 3de3cd',
    'b6564e 4aed42 df49a8 43d542 8c201e 6b910d 8f97e9 ca0eec 6dfe28',
    // The address or a meta element that the manifest does not know: two papers, two news sites.
    '128f20 bf7940 c94d65 75026c',
    // The day a broadcast, a thread or an offer went online.
    'db0b03 327fdf 25128c a1b030 c7d37b',
    // `Date 23.05.2011`.
    '562d04',
  ].flatMap((line) => line.split(' ')),
);

/** Only JSON-LD says so. */
const REVIEWED: ReadonlySet<string> = new Set([...SHOWN, 'policy']);

/**
 * Pages of the check half that show a day which we do not find: a story (`Published:` in a list of facts), and threads of
 * forums. Whoever finds one looks whether it is the right one, and moves it up.
 */
const MISSED: ReadonlySet<string> = new Set('9f5857 b4250f 3b3822 18a928'.split(' '));

interface Read {
  readonly labelled: LabelledPage;
  readonly page: Page | undefined;
}

function pageOf(folder: 'pages' | 'types', { file, url }: LabelledPage): Page | undefined {
  const read = extract({
    url: url ?? 'https://example.com/page',
    contentType: 'text/html',
    bytes: fileOf(folder, file),
  });
  return read.ok ? read.page : undefined;
}

function wanted(title: string | null): string {
  return fold(title ?? '')
    .slice(0, TITLE_LENGTH)
    .trimEnd();
}

/** The manifest's date can be one: the year 1 of an empty field is none, and neither is what lies before the web. */
function isDated({ published }: LabelledPage): boolean {
  const year = /(?<!\d)\d{4}(?=\d{4}T|\D|$)/.exec(published ?? '')?.[0];
  return year !== undefined && Number(year) >= 1995;
}

function isFirstOfHome({ url, published_source: source }: LabelledPage): boolean {
  return source === 'first time element' && URL.parse(url ?? '')?.pathname === '/';
}

function sameDay(found: PublishTime | undefined, written: string): boolean {
  if (!found) return false;
  const ours = [found.local.slice(0, 10), new Date(found.instant).toISOString().slice(0, 10)];
  const instant = Date.parse(written);
  const theirs = [
    written.slice(0, 10).replaceAll('/', '-'),
    written.replace(/^(\d{4})(\d{2})(\d{2})T.*$/, '$1-$2-$3'),
    Number.isNaN(instant) ? '' : new Date(instant).toISOString().slice(0, 10),
  ];
  return ours.some((day) => theirs.includes(day) || (Number.isNaN(instant) && namesDay(written, day)));
}

/** A date that is written in no form of the standards: its numbers are those of the day. */
function namesDay(written: string, day: string): boolean {
  const numbers = new Set(written.match(/\d+/g)?.map(Number));
  const [year, , date] = day.split('-').map(Number);
  return numbers.has(Number(year)) && numbers.has(Number(date));
}

function keyOf({ file }: LabelledPage): string {
  return file.replace(/\.html\.gz$/, '').slice(-6);
}
