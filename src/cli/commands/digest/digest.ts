import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';
import { countUpTo, upToADay } from '../option-values.ts';

const ABOUT = `
Near duplicates are one story: the same URL apart from tracking parameters, the
same title, or nearly the same text. Made for cron and mail:
  0 7 * * *  hydrant digest --format html --quiet-when-empty | mail …
`;

/** `hydrant digest`: what matched, for people, once a day. */
export function digestCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('digest'),
    'hydrant digest',
    'hydrant digest news jobs --since 12h --by domain',
    'hydrant digest news --format html > digest.html',
  )
    .description('the matches of the last 24 hours as one document, near duplicates grouped')
    .argument('[tap...]', 'names or ids of taps; none: all')
    .addOption(new Option('--since <time>', 'how far back, up to 24h').argParser(upToADay).default(86_400, '24h'))
    .addOption(
      new Option('--by <what>', 'how the stories are grouped')
        .choices(['tag', 'domain', 'category', 'tap'] as const)
        .default('tag' as const),
    )
    .addOption(
      new Option('--format <form>', 'Markdown (the default), a page, or JSON').choices(['md', 'html', 'json'] as const),
    )
    .addOption(new Option('--limit <count>', 'stories at most, the newest').argParser(countUpTo(10_000)).default(200))
    .option('--title <text>', 'title of the document')
    .option('--quiet-when-empty', 'print nothing where nothing matched')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, [taps], flags) => {
        const { digest } = await import('./digest-run.ts');
        await digest(session, taps, flags);
      }),
    );
}
