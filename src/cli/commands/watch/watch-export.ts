import type { SeenWatch } from '../../client/watches.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printableJson } from '../../../shared/text/printable.ts';
import { count } from '../../../shared/text/plural.ts';
import { csvRow } from '../../text/table.ts';
import type { Session } from '../session.ts';
import { openWatches } from './watch-names.ts';
import { writtenWatch } from './watch-file.ts';
import { cadenceWord } from './watch-options.ts';

/** `hydrant watch export`: all watches as text, for version control, another daemon or a spreadsheet. */
type Format = 'yaml' | 'urls' | 'csv';

export async function exportWatches(session: Session, format: Format): Promise<void> {
  const { context, flags, out } = session;
  const { keeping, operator } = await openWatches(session);
  // By URL: the file of a version control changes only where a watch does.
  const watches = (await keeping.list()).toSorted((one, other) => (one.url < other.url ? -1 : 1));
  await pacedWrite(context.io.stdout, await textOf(watches, flags.json === true ? 'json' : format), context.closed);
  const own = watches.filter(({ request }) => request !== undefined).length;
  if (own > 0) {
    const words = `how ${count(own, 'page')} ${own === 1 ? 'is' : 'are'} asked for is left out: headers, cookies, bodies, proxies`;
    out.notice(`${words}; set them again where the file is applied, with: hydrant watch edit`);
  }
  if (operator === undefined && format !== 'urls') {
    out.notice(
      'options, titles and tags are left out: a management key cannot read them; run this on the daemon’s machine',
    );
  }
}

async function textOf(watches: readonly SeenWatch[], format: Format | 'json'): Promise<string> {
  if (format === 'json') return `${printableJson({ watches: watches.map(writtenWatch) })}\n`;
  if (format === 'urls') return watches.map(({ url }) => `${url}\n`).join('');
  if (format === 'csv') {
    const rows = watches.map((watch) => csvRow(COLUMNS.map(([, cell]) => cell(watch))));
    return [csvRow(COLUMNS.map(([name]) => name)), ...rows].join('');
  }
  const { fileOf } = await import('../apply/apply-run.ts');
  return fileOf({ watches: watches.map(writtenWatch) });
}

const COLUMNS: readonly (readonly [name: string, cell: (watch: SeenWatch) => string])[] = [
  ['id', ({ id }) => id],
  ['url', ({ url }) => url],
  ['every', (watch) => cadenceWord(watch.frequency_minutes)],
  ['status', ({ status }) => status],
  ['select', ({ options }) => (options?.select ?? []).join('\n')],
  ['ignore', ({ options }) => (options?.ignore ?? []).join('\n')],
  ['only', ({ options }) => options?.only ?? ''],
  ['trigger', ({ options }) => options?.trigger ?? ''],
  ['confirm', ({ options }) => (options?.confirm === true ? 'yes' : '')],
  ['title', ({ title }) => title ?? ''],
  ['tags', ({ tags }) => (tags ?? []).join(', ')],
];
