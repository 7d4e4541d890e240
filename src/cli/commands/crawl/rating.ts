import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { DomainRating, RatingStatus } from '../../../shared/api/rating.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { Column } from '../../text/table.ts';
import { relative } from '../../text/time.ts';
import { confirm, type Action } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';

const ABOUT = `
A list has one domain per line, with its rank or its rating from 0 to 100:
  1,example.org          rank,domain as Tranco and others publish
  example.org,57         domain,rating
or it is the ranking of the Common Crawl web graph, with tabs and reversed
names. A header line names the columns, if there is one. Gzip is unpacked.

A rank is converted to a rating: 1 is 100, 1,000 is 57, 100,000 is 29; beyond
10,000,000 a domain has none. The new list replaces the previous one when it has
arrived completely; an interrupted import changes nothing. Lines that cannot be
read are counted and skipped.
`;

/** Domain ratings: what `dr` is in a query. */
export function ratingCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('rating'),
    'hydrant rating import tranco.csv',
    'hydrant rating show example.org',
  )
    .alias('ratings')
    .description('domain ratings: what dr is in a query');
  for (const declare of [importList, show, status, clear]) declare(noun, action);
  return noun;
}

function importList(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('import'),
    'hydrant rating import tranco.csv',
    'unzip -p tranco.zip | hydrant rating import -',
    'hydrant rating import cc-main-domain-ranks.txt.gz',
  )
    .description('take the ratings of a list, in place of the one before')
    .argument('<file>', 'the list; - reads it from stdin')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [file]) => {
        // Loaded only here: it knows the suffixes of all domains.
        const { importRatings } = await import('./rating-import.ts');
        return importRatings(session, file);
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant rating show example.org example.com')
    .description('show what is known of domains')
    .argument('<domain...>', 'a domain, a host or a URL')
    .action(
      action(async ({ out, connect }, [domains]) => {
        const { client } = await connect();
        const found: DomainRating[] = [];
        for (const domain of domains) found.push(await client.ratings.show(domain));
        out.list(found, { id: (one) => String(one.rating ?? ''), columns, none: '' });
      }),
    );
}

const columns: readonly Column<DomainRating>[] = [
  { title: 'domain', show: (one) => one.domain },
  { title: 'rating', show: (one) => String(one.rating ?? 'none'), plain: (one) => written(one.rating), align: 'right' },
  { title: 'imported', show: (one) => written(one.imported), align: 'right' },
  { title: 'own', show: (one) => written(one.own), align: 'right' },
  {
    title: 'linked from',
    show: (one) => count(one.referring_domains, 'domain'),
    plain: (one) => written(one.referring_domains),
  },
];

function written(rating: number | null): string {
  return rating === null ? '' : String(rating);
}

function status(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('status'), 'hydrant rating status', 'hydrant rating status --json | jq .imported')
    .description('show which list was imported, and how many links between domains were counted')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        const known = await client.ratings.status();
        const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
        const lines = statusLines(known, time).map(printable);
        out.one(known, { id: String(known.imported?.domains ?? 0), lines });
      }),
    );
}

function statusLines({ imported, own }: RatingStatus, time: (timestamp: string) => string): string[] {
  return [
    imported === null
      ? 'imported  nothing; import a list with: hydrant rating import <file>'
      : `imported  ${count(imported.domains, 'domain')} from ${imported.name} · ${time(imported.at)}`,
    own === null
      ? 'own       the links between domains are not counted yet; they are once a day'
      : `own       ${count(own.domains, 'domain')} with ${count(own.links, 'link')} from others · counted ${time(own.at)}`,
  ];
}

function clear(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('clear'), 'hydrant rating clear --yes')
    .description('delete the imported list; ratings from counted links stay')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session) => {
        const { client } = await session.connect();
        const { imported } = await client.ratings.status();
        const what =
          imported === null ? 'no list' : `the list ${imported.name} with ${count(imported.domains, 'domain')}`;
        if (imported !== null) await confirm(session, `Delete ${what}?`);
        await client.ratings.clear();
        const domains = imported?.domains ?? 0;
        session.out.done(
          { cleared: domains },
          { id: String(domains), notice: imported === null ? 'there was no list' : `${what} deleted` },
        );
      }),
    );
}
