import { Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { parseSeconds } from '../time.ts';
import { add, type CrawlFlags, list, remove } from './crawl-verbs.ts';
import { withExamples } from './help.ts';
import { openSession } from './session.ts';

/** Sources: where the crawl starts, and how often it comes back. */
export function crawlCommand(context: Context): Command {
  const crawl = new Command('crawl').description('what is crawled: sources, and how often they are visited');
  withExamples(crawl, 'hydrant crawl add https://example.org/ --every 10m', 'hydrant crawl list');
  crawl.addCommand(adding(context));
  crawl.addCommand(
    withExamples(new Command('list'), 'hydrant crawl list')
      .alias('ls')
      .description('list the sources with their last and next visit')
      .action((_flags, command: Command) => list(openSession(context, command))),
  );
  crawl.addCommand(
    withExamples(new Command('remove'), 'hydrant crawl remove https://example.org/')
      .alias('rm')
      .description('stop crawling sources')
      .argument('<source...>', 'its URL, its id, or the beginning of its id')
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(openSession(context, command), wanted)),
  );
  return crawl;
}

function adding(context: Context): Command {
  return withExamples(
    new Command('add'),
    'hydrant crawl add https://example.org/ --every 10m',
    'hydrant crawl add https://example.org/ --scope host --max-pages 200',
    'hydrant crawl add - < urls.txt',
  )
    .alias('create')
    .description('crawl a page, or the pages of a host')
    .argument('<url...>', 'where to start; - reads URLs from stdin, one a line')
    .addOption(new Option('--scope <scope>', 'this page alone, or every page of its host').choices(['page', 'host']))
    .addOption(
      new Option('--every <time>', 'time between two visits of a page: 30s, 10m, 6h, 1d').argParser((text) => {
        const seconds = parseSeconds(text);
        if (seconds !== undefined && seconds > 0) return seconds;
        throw new InvalidArgumentError('It is a time like 30s, 10m, 6h or 1d.');
      }),
    )
    .addOption(
      new Option('--max-pages <count>', 'pages at most, with --scope host').argParser((text) => {
        if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
        throw new InvalidArgumentError('It is a whole number from 1.');
      }),
    )
    .action((urls: string[], flags: CrawlFlags, command: Command) => add(openSession(context, command), urls, flags));
}
