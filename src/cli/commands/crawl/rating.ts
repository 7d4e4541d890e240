import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { withExamples } from '../help.ts';
import { clear, show, status } from './rating-verbs.ts';
import type { OnStopped } from '../on-stopped.ts';
import { openSession } from '../session.ts';

const ABOUT = `
A list has a domain a line, with its rank or with its rating from 0 to 100:
  1,example.org          rank,domain as Tranco and others publish
  example.org,57         domain,rating
or it is the ranking of the Common Crawl web graph, with tabs and reversed
names. A header names the columns, if there is one. Gzip is unpacked.

A rank becomes a rating: 1 is 100, 1,000 is 57, 100,000 is 29; beyond
10,000,000 a domain has none. The new list replaces the former one when all of
it has arrived; if the import breaks off, nothing has changed. Lines that cannot
be read are counted and left out.
`;

/** Domain ratings: what `dr` is in a query. */
export function ratingCommand(context: Context, onStopped: OnStopped): Command {
  const rating = new Command('rating').alias('ratings').description('domain ratings: what dr is in a query');
  withExamples(rating, 'hydrant rating import tranco.csv', 'hydrant rating show example.org');
  rating.addCommand(importing(context, onStopped));
  rating.addCommand(
    withExamples(new Command('show'), 'hydrant rating show example.org example.com')
      .description('show what is known of domains')
      .argument('<domain...>', 'a domain, a host or a URL')
      .action((domains: string[], _flags, command: Command) => show(openSession(context, command), domains)),
  );
  rating.addCommand(
    withExamples(new Command('status'), 'hydrant rating status', 'hydrant rating status --json | jq .imported')
      .description('show which list was imported, and what the own links amount to')
      .action((_flags, command: Command) => status(openSession(context, command))),
  );
  rating.addCommand(
    withExamples(new Command('clear'), 'hydrant rating clear --yes')
      .description('forget the imported list; the own links stay')
      .option('-y, --yes', 'do not ask')
      .action((_flags, command: Command) => clear(openSession(context, command))),
  );
  return rating;
}

function importing(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('import'),
    'hydrant rating import tranco.csv',
    'unzip -p tranco.zip | hydrant rating import -',
    'hydrant rating import cc-main-domain-ranks.txt.gz',
  )
    .description('take the ratings of a list, in place of the one before')
    .argument('<file>', 'the list; - reads it from stdin')
    .addHelpText('after', ABOUT)
    .action(async (file: string, _flags, command: Command) => {
      // Loaded only here: it knows the suffixes of all domains.
      const { importRatings } = await import('./rating-import.ts');
      onStopped(await importRatings(openSession(context, command), file));
    });
}
