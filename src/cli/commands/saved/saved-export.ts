import type { SavedMatch } from '../../../shared/api/saved-match.ts';
import { pacedWrite } from '../../paced-write.ts';
import { csvRow } from '../csv-row.ts';
import type { Session } from '../session.ts';

export interface ExportFlags {
  readonly format: 'jsonl' | 'csv';
}

/** Writes them as they come, whatever the terminal: an export is for a file or another program. */
export async function exportAll(
  { context, connect }: Session,
  words: readonly string[],
  { format }: ExportFlags,
): Promise<void> {
  const { client } = await connect();
  const { io, closed } = context;
  if (format === 'csv') await pacedWrite(io.stdout, csvRow(COLUMNS.map(([name]) => name)), closed);
  for await (const match of client.saved.all(words.join(' '))) {
    if (closed?.aborted === true) return;
    const line = format === 'csv' ? csvRow(COLUMNS.map(([, cell]) => cell(match))) : `${JSON.stringify(match)}\n`;
    await pacedWrite(io.stdout, line, closed);
  }
}

const COLUMNS: readonly (readonly [name: string, cell: (match: SavedMatch) => string])[] = [
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
  ['note', ({ note }) => note ?? ''],
];

function textOf({ diff }: SavedMatch['document']): string {
  return (diff?.chunks ?? []).map(({ typ, text }) => `${typ === 'ins' ? 'added' : 'removed'}: ${text}`).join('\n');
}
