import { Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import type { DigestFlags } from './digest-run.ts';
import { withExamples } from '../help.ts';
import { openSession } from '../session.ts';
import { countUpTo, upToADay } from '../since-option.ts';

const ABOUT = `
Near duplicates are one story: the same address without what tracks its reader,
the same title, nearly the same text. Made for cron and mail:
  0 7 * * *  hydrant digest --format html --quiet-when-empty | mail …
`;

/** `hydrant digest`: what matched, for people, once a day. */
export function digestCommand(context: Context): Command {
  return withExamples(
    new Command('digest'),
    'hydrant digest',
    'hydrant digest news jobs --since 12h --by domain',
    'hydrant digest news --format html > digest.html',
  )
    .description('the matches of the last 24 hours as one paper, near duplicates told once')
    .argument('[tap...]', 'names or ids of taps; none: all')
    .addOption(new Option('--since <time>', 'how far back, up to 24h').argParser(upToADay).default(86_400, '24h'))
    .addOption(
      new Option('--by <what>', 'what the stories stand under')
        .choices(['tag', 'domain', 'category', 'tap'])
        .default('tag'),
    )
    .addOption(new Option('--format <form>', 'Markdown (the default), a page, or JSON').choices(['md', 'html', 'json']))
    .addOption(
      new Option('--limit <count>', 'stories that are told, the newest').argParser(countUpTo(10_000)).default(200),
    )
    .option('--title <text>', 'what to call it')
    .option('--quiet-when-empty', 'print nothing where nothing matched')
    .addHelpText('after', ABOUT)
    .action(async (taps: string[], flags: DigestFlags, command: Command) => {
      const { digest } = await import('./digest-run.ts');
      await digest(openSession(context, command), taps, flags);
    });
}
