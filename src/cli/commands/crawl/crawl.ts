import { grouped } from '../../../shared/grouped.ts';
import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Source, SourceChange } from '../../../shared/api/crawl.ts';
import type { RenderOptions } from '../../../shared/api/render.ts';
import { SOURCE_DEPTH, SOURCE_PAGES } from '../../../shared/limits.ts';
import { found } from '../../client/found.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Field } from '../../runtime/output.ts';
import { every, relative } from '../../text/time.ts';
import { type Action, confirm, type Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { withExamples } from '../help.ts';
import { noRenderOption, renderOf, renderOption, renderWords, waitForOption, withinOption } from '../render-flags.ts';
import { ABOUT_REQUEST, withRequestFlags } from '../request-flags.ts';
import { intervalOf, secondsOf } from '../option-values.ts';
import { outcome, sourceColumns } from './source-text.ts';

/** The crawl: its sources, its figures, and single URLs. */
export function crawlCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('crawl'),
    'hydrant crawl add https://example.org/ --scope host',
    'hydrant crawl status',
    'hydrant crawl why https://example.org/a',
  ).description('what is crawled: sources, and how often they are visited');
  for (const declare of [add, list, show, edit, pause, resume, remove, status, history, why, diff, visit])
    declare(noun, action);
  return noun;
}

const SOURCE = 'its URL, its id, or the beginning of its id';
export const SCOPES = ['page', 'prefix', 'host', 'domain', 'any'] as const;

const ABOUT = `
A URL may be a page, a feed, a sitemap or the front page of a site: hydrant
detects which. With --scope page, a feed or sitemap leads to its entries;
--depth 0 visits only the URL itself.

  page     this URL alone, and the entries of a feed or sitemap
  prefix   what is below its directory: /news/ and /news/today.html
  host     all pages of its host that links lead to
  domain   the same for all hosts of its domain
  any      anywhere; 2 links and 100 pages without --depth and --max-pages

Without --every, each page is visited about as often as it changes. A list
(-, --file) has one URL per line, or is OPML, a sitemap or a feed.
`;

const ABOUT_RENDER = `
--render is for a page that scripts build, of a source of scope page: a browser
on the daemon's machine reads it, which costs seconds instead of milliseconds.
--wait-for and --within imply it. What the page leads to is not rendered.
`;

function add(noun: CommandUnknownOpts, action: Action): void {
  const scope = 'this page alone, what is below it, its host, its domain, or anywhere';
  const command = withExamples(
    noun.command('add'),
    'hydrant crawl add https://example.org/ --scope host --max-pages 200',
    'hydrant crawl add https://example.org/feed.xml --every 10m',
    'hydrant crawl add https://example.org/app --render',
    'hydrant crawl add --file feeds.opml',
    'hydrant crawl add - < urls.txt',
  )
    .alias('create')
    .description('crawl pages, sites, feeds, sitemaps, or a list of them')
    .argument('[url...]', 'where to start; - reads a list from stdin')
    .option('--file <file>', 'a list: URLs, OPML, a sitemap or a feed')
    .addOption(new Option('--scope <scope>', scope).choices(SCOPES))
    .option('--depth <steps>', 'most links from the URL', depthOf)
    .addOption(maxPagesOption())
    .option('--every <time>', 'time between two visits of a page: 30s, 10m, 6h, 1d', intervalOf)
    .option('--baseline', 'the first visit of each page reports nothing')
    .addOption(renderOption())
    .addOption(waitForOption())
    .addOption(withinOption());
  withRequestFlags(command)
    .addHelpText('after', ABOUT)
    .addHelpText('after', ABOUT_RENDER)
    .addHelpText('after', ABOUT_REQUEST)
    .action(
      action(async (session, [urls], flags) => {
        const { addSources } = await import('./crawl-add.ts');
        await addSources(session, urls, flags);
      }),
    );
}

function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant crawl list', 'hydrant crawl list --failing')
    .description('list the sources with their last and next visit; those that fail first')
    .option('--failing', 'only those whose URL could not be had at its last visit')
    .action(
      action(async ({ out, connect }, _words, { failing }) => {
        const { client } = await connect();
        const all = await client.crawl.sources();
        const rank = ({ problem }: Source): number => (problem === undefined ? 1 : 0);
        const shown = failing === true ? all.filter((source) => rank(source) === 0) : all;
        const none =
          all.length === 0
            ? 'nothing is crawled yet; add a source with: hydrant crawl add <url>'
            : `none of ${count(all.length, 'source')} is failing`;
        out.list(
          shown.toSorted((one, other) => rank(one) - rank(other)),
          {
            id: (source) => source.id,
            columns: sourceColumns(out.now),
            none,
          },
        );
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant crawl show https://example.org/')
    .description('show one source: how far it goes, what it has found, its last visit')
    .argument('<source>', SOURCE)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const { requestWords } = await import('../request-order.ts');
        const source = chosen(await client.crawl.sources(), wanted);
        const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
        const { last_visit: last } = source;
        const fields: readonly Field[] = [
          ['id', source.id],
          ['url', source.url],
          ['status', source.paused ? 'paused' : 'active'],
          ['scope', reach(source)],
          ['every', source.every_seconds === null ? 'as often as each page changes' : every(source.every_seconds)],
          ['pages', `${grouped(source.pages)} of ${grouped(source.max_pages)} at most`],
          ['visits', grouped(source.visits)],
          ['last visit', last === null ? 'none yet' : `${time(last.at)}: ${outcome(last)} (${last.url})`],
          ...problemField(source, time),
          ...(source.render ? [['rendered', renderedWords(source.render)] as const] : []),
          ...requestWords(source.request).map((words): Field => ['request', words]),
          ['next', source.next_visit_at === null ? 'none' : time(source.next_visit_at)],
          ['created', time(source.created_at)],
        ];
        out.fields(source, { id: source.id, fields });
      }),
    );
}

/** `yes`, or how: `wait-for .price, within 30s`. */
function renderedWords(render: RenderOptions): string {
  const [, ...how] = renderWords(render);
  return how.length === 0 ? 'yes' : how.join(', ');
}

/** Of its own URL; the last visit may have been of another page. */
function problemField({ problem }: Source, time: (timestamp: string) => string): Field[] {
  if (problem === undefined) return [];
  const since = problem.since === undefined ? '' : `, since ${time(problem.since)}`;
  const often = problem.failures > 1 ? `, ${count(problem.failures, 'time')} in a row` : '';
  return [['problem', `${problem.detail ?? problem.reason}${often}${since}`]];
}

function reach({ scope, depth, baseline }: Source): string {
  const steps = depth === null ? [] : [depth === 0 ? 'no links are followed' : `${count(depth, 'step')} from its URL`];
  return [scope, ...steps, ...(baseline ? ['the first visit of each page reports nothing'] : [])].join(', ');
}

function edit(noun: CommandUnknownOpts, action: Action): void {
  const command = withExamples(noun.command('edit'), 'hydrant crawl edit https://example.org/ --every 1h')
    .description('change how often, how deep and how many pages sources are crawled, at once')
    .argument('<source...>', SOURCE)
    .option('--every <time>', 'time between two visits of a page, or auto', (text) =>
      text === 'auto' ? text : intervalOf(text),
    )
    .option('--depth <steps>', 'most links from the URL, or all', (text) => (text === 'all' ? text : depthOf(text)))
    .addOption(maxPagesOption())
    .addOption(renderOption())
    .addOption(waitForOption())
    .addOption(withinOption())
    .addOption(noRenderOption());
  withRequestFlags(command)
    .addOption(new Option('--no-request', 'ask for it as for all pages: no headers, body, proxy of its own'))
    .addHelpText('after', ABOUT_REQUEST)
    .action(
      action(async (session, [wanted], { every: interval, depth, maxPages, ...flags }) => {
        const { requestOf } = await import('../request-order.ts');
        const request = await requestOf(session, flags);
        const render = renderOf(flags);
        const asked: SourceChange = {
          ...(request && { request }),
          ...(render !== undefined && { render }),
          ...(interval !== undefined && { every_seconds: interval === 'auto' ? null : interval }),
          ...(depth !== undefined && { depth: depth === 'all' ? null : depth }),
          ...(maxPages !== undefined && { max_pages: maxPages }),
        };
        if (Object.keys(asked).length === 0) {
          throw new UsageError(
            'nothing to change: give --every, --depth, --max-pages, --render, --cookie or --header',
            {
              hint: 'the scope of a source is fixed: add the URL with another --scope and remove this one',
            },
          );
        }
        await change(session, wanted, asked, 'is crawled with the new settings from now on');
      }),
    );
}

function pause(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('pause'), 'hydrant crawl pause https://example.org/')
    .description('stop visiting the pages of sources until they are resumed')
    .argument('<source...>', SOURCE)
    .action(action((session, [wanted]) => change(session, wanted, { paused: true }, 'is paused')));
}

function resume(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('resume'), 'hydrant crawl resume https://example.org/')
    .description('resume paused sources')
    .argument('<source...>', SOURCE)
    .action(action((session, [wanted]) => change(session, wanted, { paused: false }, 'is crawled again')));
}

/** All are looked up before the first is changed: a wrong name changes nothing. @param result for the notice: `is paused` */
async function change(session: Session, wanted: readonly string[], asked: SourceChange, result: string): Promise<void> {
  const { client } = await session.connect();
  for (const source of chosenOnce(await client.crawl.sources(), wanted)) {
    const changed = await client.crawl.change(source.id, asked);
    session.out.done(changed, { id: changed.id, notice: `${changed.url} ${result}` });
  }
}

function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('remove'), 'hydrant crawl remove https://example.org/')
    .description('stop crawling sources')
    .argument('<source...>', SOURCE)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const sources = chosenOnce(await client.crawl.sources(), wanted);
        const what = sources.length === 1 ? sources.map(({ url }) => url).join('') : count(sources.length, 'source');
        await confirm(session, `Stop crawling ${what}? What is stored of its pages is deleted too.`);
        for (const source of sources) {
          await client.crawl.remove(source.id);
          session.out.done(
            { id: source.id, url: source.url, removed: true },
            { id: source.id, notice: `${source.url} removed` },
          );
        }
      }),
    );
}

function status(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('status'), 'hydrant crawl status', 'hydrant crawl status --json | jq .outcomes')
    .description('how the crawl is doing; on a terminal a live screen')
    .option('--once', 'print it once, also on a terminal')
    .option('--watch', 'the live screen; fails where there is no terminal')
    .action(
      action(async (session, _words, flags) => {
        const { showStatus } = await import('./crawl-status.ts');
        await showStatus(session, flags);
      }),
    );
}

function history(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('history'), 'hydrant crawl history', 'hydrant crawl history --week --json')
    .description('visits, changes, failures and delay of the last day, by the quarter of an hour')
    .option('--week', 'of the last week, by the hour')
    .action(
      action(async (session, _words, { week }) => {
        const { showHistory } = await import('./crawl-status.ts');
        await showHistory(session, week === true);
      }),
    );
}

function why(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('why'), 'hydrant crawl why https://example.org/a')
    .alias('url')
    .description('show what the crawl knows of a URL, and why it is visited or not')
    .argument('<url>', 'any URL')
    .action(
      action(async (session, [url]) => {
        const { explainUrl } = await import('./crawl-status.ts');
        await explainUrl(session, url);
      }),
    );
}

function diff(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('diff'),
    'hydrant crawl diff https://example.org/a',
    "hydrant crawl diff https://example.org/a --query 'title:ferry'",
  )
    .description('show the last change of a page, if it is not older than 24 hours')
    .argument('<url>', 'a page of a source')
    .option('--query <query>', 'say what this query makes of the change, as a rule without flags')
    .action(
      action(async (session, [url], { query }) => {
        const { showPageDiff } = await import('./crawl-diff.ts');
        await showPageDiff(session, url, query);
      }),
    );
}

function visit(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('visit'), 'hydrant crawl visit https://example.org/a --wait')
    .description('visit a page now, as far as its host and robots.txt allow it')
    .argument('<url>', 'a page of a source')
    .option('--wait', 'wait for the visit; the default on a terminal')
    .option('--no-wait', 'do not wait for it')
    .option('--timeout <time>', 'wait no longer than 30s, 5m (1m)', secondsOf)
    .action(
      action(async (session, [url], flags) => {
        const { visitUrl } = await import('./crawl-status.ts');
        await visitUrl(session, url, flags);
      }),
    );
}

function chosenOnce(sources: readonly Source[], wanted: readonly string[]): Source[] {
  return [...new Map(wanted.map((word) => chosen(sources, word)).map((source) => [source.id, source])).values()];
}

/** By its id, a beginning of it, or its URL as one types it. */
function chosen(sources: readonly Source[], wanted: string): Source {
  const word = URL.parse(wanted)?.href ?? wanted;
  const same = sources.filter(({ url }) => url === word);
  if (same.length > 1) {
    const each = same.map(({ id, scope }) => `${id.slice(0, 8)} (${scope})`).join(', ');
    throw new UsageError(`${word} is ${count(same.length, 'source')}; specify one by its id: ${each}`);
  }
  return found('source', sources, word, ({ url }) => url);
}

function maxPagesOption() {
  return new Option('--max-pages <count>', 'pages held at once').argParser((text) => whole(text, 1, SOURCE_PAGES));
}

function depthOf(text: string): number {
  return whole(text, 0, SOURCE_DEPTH);
}

function whole(text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
}
