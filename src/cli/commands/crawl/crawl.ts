import { Command } from 'commander';
import type { Context } from '../../context.ts';
import { type AddFlags, add } from './crawl-add.ts';
import { depthOf, depthOr, maxPagesOption, scopeOption, secondsOr } from './crawl-options.ts';
import { secondsOf } from '../words.ts';
import { status, type StatusFlags } from './crawl-status.ts';
import { change, edit, type EditFlags, list, remove, show } from './crawl-verbs.ts';
import { visit, type VisitFlags } from './crawl-visit.ts';
import { why } from './crawl-why.ts';
import { withExamples } from '../help.ts';
import { openSession, type Session } from '../session.ts';

/** The crawl: its sources, its figures, and single URLs. */
export function crawlCommand(context: Context): Command {
  const crawl = new Command('crawl').description('what is crawled: sources, and how often they are visited');
  withExamples(
    crawl,
    'hydrant crawl add https://example.org/ --scope host',
    'hydrant crawl status',
    'hydrant crawl why https://example.org/a',
  );
  for (const command of [adding(context), ...sources(context), ...questions(context)]) crawl.addCommand(command);
  return crawl;
}

const SOURCE = 'its URL, its id, or the beginning of its id';

const ABOUT = `
A URL may be a page, a feed, a sitemap or the front page of a site: hydrant sees
what it is. With --scope page a feed or sitemap leads to its entries; --depth 0
keeps to the URL itself.

  page     this URL alone, and the entries of a feed or sitemap
  prefix   what lies below its directory: /news/ and /news/today.html
  host     every page of its host that links lead to
  domain   the same for all hosts of its domain
  any      anywhere; 2 steps and 100 pages unless told otherwise

Without --every each page is visited as often as it changes. A list (-, --file)
is a URL a line, OPML, a sitemap or a feed.
`;

function adding(context: Context): Command {
  return withExamples(
    new Command('add'),
    'hydrant crawl add https://example.org/ --scope host --max-pages 200',
    'hydrant crawl add https://example.org/feed.xml --every 10m',
    'hydrant crawl add --file feeds.opml',
    'hydrant crawl add - < urls.txt',
  )
    .alias('create')
    .description('crawl pages, sites, feeds, sitemaps, or a list of them')
    .argument('[url...]', 'where to start; - reads a list from stdin')
    .option('--file <file>', 'a list: URLs, OPML, a sitemap or a feed')
    .addOption(scopeOption())
    .option('--depth <steps>', 'links from the URL at most', depthOf)
    .addOption(maxPagesOption())
    .option('--every <time>', 'time between two visits of a page: 30s, 10m, 6h, 1d', secondsOf)
    .option('--baseline', 'what is there at first is no news')
    .addHelpText('after', ABOUT)
    .action((urls: string[], flags: AddFlags, command: Command) => add(openSession(context, command), urls, flags));
}

function sources(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  return [
    withExamples(new Command('list'), 'hydrant crawl list')
      .alias('ls')
      .description('list the sources with their last and next visit')
      .action((_flags, command: Command) => list(session(command))),
    withExamples(new Command('show'), 'hydrant crawl show https://example.org/')
      .description('show one source: how far it goes, what it has found, its last visit')
      .argument('<source>', SOURCE)
      .action((wanted: string, _flags, command: Command) => show(session(command), wanted)),
    withExamples(new Command('edit'), 'hydrant crawl edit https://example.org/ --every 1h')
      .description('change the terms of sources, at once')
      .argument('<source...>', SOURCE)
      .option('--every <time>', 'time between two visits of a page, or auto', secondsOr('auto'))
      .option('--depth <steps>', 'links from the URL at most, or all', depthOr('all'))
      .addOption(maxPagesOption())
      .action((wanted: string[], flags: EditFlags, command: Command) => edit(session(command), wanted, flags)),
    withExamples(new Command('pause'), 'hydrant crawl pause https://example.org/')
      .description('visit no page of sources until they are resumed')
      .argument('<source...>', SOURCE)
      .action((wanted: string[], _flags, command: Command) =>
        change(session(command), wanted, { paused: true, words: 'is paused' }),
      ),
    withExamples(new Command('resume'), 'hydrant crawl resume https://example.org/')
      .description('go on with paused sources')
      .argument('<source...>', SOURCE)
      .action((wanted: string[], _flags, command: Command) =>
        change(session(command), wanted, { paused: false, words: 'is crawled again' }),
      ),
    withExamples(new Command('remove'), 'hydrant crawl remove https://example.org/')
      .alias('rm')
      .description('stop crawling sources')
      .argument('<source...>', SOURCE)
      .option('-y, --yes', 'do not ask')
      .action((wanted: string[], _flags, command: Command) => remove(session(command), wanted)),
  ];
}

function questions(context: Context): Command[] {
  const session = (command: Command): Session => openSession(context, command);
  return [
    withExamples(new Command('status'), 'hydrant crawl status', 'hydrant crawl status --json | jq .outcomes')
      .description('how the crawl is doing; on a terminal a live screen')
      .option('--once', 'tell it once, also on a terminal')
      .option('--watch', 'the live screen, or an error where there is no terminal')
      .action((_flags, command: Command) => status(session(command), command.optsWithGlobals<StatusFlags>())),
    withExamples(new Command('why'), 'hydrant crawl why https://example.org/a')
      .alias('url')
      .description('tell what the crawl knows of a URL, and why it is visited or not')
      .argument('<url>', 'any URL')
      .action((url: string, _flags, command: Command) => why(session(command), url)),
    withExamples(new Command('visit'), 'hydrant crawl visit https://example.org/a --wait')
      .description('visit a page now, as far as its host and robots.txt allow it')
      .argument('<url>', 'a page that a source holds')
      .option('--wait', 'wait for the visit; this is so on a terminal')
      .option('--no-wait', 'do not wait for it')
      .option('--timeout <time>', 'wait no longer than 30s, 5m (1m)', secondsOf)
      .action((url: string, flags: VisitFlags, command: Command) => visit(session(command), url, flags)),
  ];
}
