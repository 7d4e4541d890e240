import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { SavedMatch } from '../../shared/api/match.ts';
import type { Client } from '../client/client.ts';
import { found } from '../client/found.ts';
import { type Field, pacedWrite } from '../runtime/output.ts';
import { printable } from '../../shared/text/printable.ts';
import { type Column, csvRow } from '../text/table.ts';
import { relative } from '../text/time.ts';
import { type Action, confirm } from './session.ts';
import { count } from '../../shared/text/plural.ts';
import { withExamples } from './help.ts';

const MATCH = 'its id, or the beginning of its id';

/**
 * Saved matches. A noun of its own: the first word after `hydrant match` is a query, and a verb there would take a
 * word from all queries.
 */
export function savedCommand(action: Action): CommandUnknownOpts {
  const saved = withExamples(
    new Command('saved'),
    'hydrant saved add news 0-42 --note "for Monday"',
    'hydrant saved list ferry',
  ).description('saved matches: keep, annotate, search and export them');
  for (const declare of [add, list, show, note, exportAll, remove]) declare(saved, action);
  return saved;
}

function add(saved: CommandUnknownOpts, action: Action): void {
  withExamples(saved.command('add'), 'hydrant saved add news 0-42', 'hydrant saved add news 0-42 --note "for Monday"')
    .description('save a match, by the event id that `hydrant tail` shows')
    .argument('<tap>', 'name or id of its tap')
    .argument('<event>', 'the id of the event, such as 0-42')
    .option('--note <note>', 'a note on it')
    .action(
      action(async ({ out, connect }, [tap, event], { note: text }) => {
        const { client } = await connect();
        const match = await client.saved.save({ tap, event, ...(text !== undefined && { note: text }) });
        const next = `hydrant saved show ${match.id.slice(0, 8)}`;
        out.done(match, { id: match.id, notice: `${match.url} is saved`, next });
      }),
    );
}

function list(saved: CommandUnknownOpts, action: Action): void {
  withExamples(saved.command('list'), 'hydrant saved list', 'hydrant saved list ferry harbour')
    .aliases(['ls', 'search'])
    .description('list the saved matches, the newest first')
    .argument('[word...]', 'only those with all these words in their URL, title, note or text')
    .action(
      action(async ({ out, connect }, [words]) => {
        const { client } = await connect();
        const nothing = 'nothing is saved yet; save a match with: hydrant saved add <tap> <event>';
        out.list(await all(client, words.join(' ')), {
          id: ({ id }) => id,
          columns: columns(out.now),
          none: words.length === 0 ? nothing : 'none found',
        });
      }),
    );
}

function columns(now: number): Column<SavedMatch>[] {
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
    { title: 'saved', show: (one) => relative(one.saved_at, now), plain: (one) => one.saved_at },
    { title: 'by', show: (one) => one.saved_by },
    { title: 'tap', show: ({ tap }) => tap.name },
    { title: 'title', show: ({ title }) => title ?? '' },
    { title: 'url', show: ({ url }) => url },
    { title: 'note', show: (one) => one.note ?? '' },
  ];
}

function show(saved: CommandUnknownOpts, action: Action): void {
  withExamples(saved.command('show'), 'hydrant saved show 7d0e0001')
    .description('show one saved match, with its text')
    .argument('<match>', MATCH)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { client } = await connect();
        const match = await pick(client, wanted);
        const time = (at: string): string => (out.forPeople ? relative(at, out.now) : at);
        const fields: readonly Field[] = [
          ['id', match.id],
          ['url', match.url],
          ['title', match.title ?? ''],
          ['tap', match.tap.name],
          ['rules', match.rules.map((rule) => rule.tag ?? rule.value ?? rule.id).join(', ')],
          ['matched', time(match.matched_at)],
          ['saved', `${time(match.saved_at)}${match.saved_by === '' ? '' : ` by ${match.saved_by}`}`],
          ['note', match.note ?? ''],
        ];
        const chunks = match.document.diff?.chunks ?? [];
        const more = chunks.map(({ typ, text }) => `${typ === 'ins' ? '+' : '-'} ${printable(text)}`);
        out.fields(match, { id: match.id, fields, more });
      }),
    );
}

function note(saved: CommandUnknownOpts, action: Action): void {
  withExamples(saved.command('note'), 'hydrant saved note 7d0e0001 "ask the harbour master"')
    .description('write a note on a saved match; an empty one removes it')
    .argument('<match>', MATCH)
    .argument('<note>', 'the note; - reads it from stdin')
    .action(
      action(async ({ out, connect, context }, [wanted, given]) => {
        const { client } = await connect();
        const text = given === '-' ? (await context.readInput('the note')).trim() : given;
        const { id } = await pick(client, wanted);
        const match = await client.saved.note(id, text);
        out.done(match, {
          id,
          notice: text === '' ? `the note on ${match.url} was removed` : `the note on ${match.url} was saved`,
        });
      }),
    );
}

/** Writes them as they come, whatever the terminal: an export is for a file or another program. */
function exportAll(saved: CommandUnknownOpts, action: Action): void {
  withExamples(
    saved.command('export'),
    'hydrant saved export > saved.jsonl',
    'hydrant saved export --format csv > saved.csv',
  )
    .description('write the complete saved matches to stdout')
    .argument('[word...]', 'only those with all these words')
    .addOption(
      new Option('--format <format>', 'one JSON object per line, or a table')
        .choices(['jsonl', 'csv'] as const)
        .default('jsonl'),
    )
    .action(
      action(async ({ context, connect }, [words], { format }) => {
        const { client } = await connect();
        const { io, closed } = context;
        if (format === 'csv') await pacedWrite(io.stdout, csvRow(CSV_COLUMNS.map(([name]) => name)), closed);
        for await (const match of client.saved.all(words.join(' '))) {
          if (closed?.aborted === true) return;
          const cells = (): string => csvRow(CSV_COLUMNS.map(([, cell]) => cell(match)));
          await pacedWrite(io.stdout, format === 'csv' ? cells() : `${JSON.stringify(match)}\n`, closed);
        }
      }),
    );
}

const CSV_COLUMNS: readonly (readonly [name: string, cell: (match: SavedMatch) => string])[] = [
  ['id', ({ id }) => id],
  ['saved_at', (match) => match.saved_at],
  ['saved_by', (match) => match.saved_by],
  ['matched_at', (match) => match.matched_at],
  ['tap', ({ tap }) => tap.name],
  ['rules', ({ rules }) => rules.map((rule) => rule.tag ?? rule.value ?? rule.id).join('\n')],
  ['url', ({ url }) => url],
  ['title', ({ title }) => title ?? ''],
  ['publish_time', ({ document }) => document.publish_time ?? ''],
  ['language', ({ document }) => document.language ?? ''],
  ['page_category', ({ document }) => (document.page_category ?? []).join('\n')],
  ['page_types', ({ document }) => (document.page_types ?? []).join('\n')],
  ['text', ({ document }) => textOf(document)],
  ['note', (match) => match.note ?? ''],
];

function textOf({ diff }: SavedMatch['document']): string {
  return (diff?.chunks ?? []).map(({ typ, text }) => `${typ === 'ins' ? 'added' : 'removed'}: ${text}`).join('\n');
}

/** All are looked up before the first is removed: a wrong id changes nothing. */
function remove(saved: CommandUnknownOpts, action: Action): void {
  withExamples(saved.command('remove'), 'hydrant saved remove 7d0e0001')
    .description('remove saved matches')
    .argument('<match...>', MATCH)
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [wanted]) => {
        const { client } = await session.connect();
        const chosen = new Map<string, SavedMatch>();
        for (const word of wanted) {
          const match = await pick(client, word);
          chosen.set(match.id, match);
        }
        const [first, ...others] = chosen.values();
        const what = others.length === 0 ? `the match of ${first?.url}` : count(chosen.size, 'match');
        await confirm(session, `Remove ${what} from the saved matches? Its text and notes are deleted permanently.`);
        for (const { id, url } of chosen.values()) {
          await client.saved.remove(id);
          session.out.done({ id, url, removed: true }, { id, notice: `${url} is no longer saved` });
        }
      }),
    );
}

/** A whole id is asked for; only its beginning has to be looked for. */
async function pick(client: Client, wanted: string): Promise<SavedMatch> {
  if (/^[\da-f-]{36}$/.test(wanted)) return client.saved.show(wanted);
  return found('saved match', await all(client, ''), wanted, (match) => match.url);
}

async function all(client: Client, words: string): Promise<SavedMatch[]> {
  const matches: SavedMatch[] = [];
  for await (const match of client.saved.all(words)) matches.push(match);
  return matches;
}
