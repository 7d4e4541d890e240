import { grouped } from '../../../shared/grouped.ts';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import type { SalvagedTable, SalvageReport } from '../../../shared/api/backup.ts';
import { localDirectory } from '../../runtime/connection.ts';
import { Progress } from '../../runtime/output.ts';
import { refuseInPostgres } from './in-postgres.ts';
import { quoted } from '../../../shared/text/printable.ts';
import type { Column } from '../../text/table.ts';
import { count } from '../../../shared/text/plural.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { upkeepFailure } from '../../runtime/failure.ts';

/** What can still be read of a damaged data directory, as a new one. */
export function salvageCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('salvage'),
    'hydrant salvage /var/lib/hydrant-saved --data-dir /var/lib/hydrant',
    'hydrant salvage saved --catalog catalog.json',
    "hydrant salvage saved --json | jq '.tables[] | select(.pages > 0)'",
  )
    .description('save what can be read of a damaged data directory into a new one; the damaged one is not changed')
    .argument('<dir>', 'the new directory: empty, or not existing yet')
    .option('--catalog <file>', 'take organizations, taps and rules from this catalog.json instead')
    .action(action((session, [directory], { catalog }) => salvage(session, directory, catalog)));
}

/** `hydrant salvage`: a new directory, or none. Answers the exit code. */
export async function salvage(session: Session, directory: string, catalog: string | undefined): Promise<number> {
  const { context, flags, out } = session;
  const dataDir = await localDirectory(flags, context.environment, 'salvage');
  await refuseInPostgres(session, 'salvage', dataDir);
  const into = path.resolve(directory);
  const { salvage: begin } = await context.upkeep();
  const ending = new Ending(process, context.closed);
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const onStep = async (table: string): Promise<void> => {
    progress.tell(() => (table === '' ? 'checking and repairing the new database' : `reading ${table}`));
    // A signal is heard between two turns of the event loop.
    await setImmediate();
    ending.signal.throwIfAborted();
  };
  try {
    const report = await begin({ dataDir, into, catalog: catalog && path.resolve(catalog), onStep });
    progress.end();
    say(session, { dataDir, into, report });
  } catch (error) {
    if (!ending.signal.aborted) throw upkeepFailure(error);
    out.notice('stopped: nothing was saved');
  } finally {
    progress.end();
    ending.dispose();
  }
  return exitCodeOf(ending.cause);
}

const number = (value: number): string => grouped(value);
const unlessNone = (value: number): string => (value === 0 ? '' : number(value));

const columns: readonly Column<SalvagedTable>[] = [
  { title: 'table', show: ({ name }) => name, least: 10 },
  { title: 'saved', show: ({ saved }) => number(saved), plain: ({ saved }) => String(saved), align: 'right' },
  { title: 'broken', show: ({ broken }) => unlessNone(broken), plain: ({ broken }) => String(broken), align: 'right' },
  {
    title: 'dropped',
    show: ({ dropped }) => unlessNone(dropped),
    plain: ({ dropped }) => String(dropped),
    align: 'right',
  },
  { title: 'lost pages', show: ({ pages }) => unlessNone(pages), plain: ({ pages }) => String(pages), align: 'right' },
];

function say(
  { flags, out }: Session,
  { dataDir, into, report }: { readonly dataDir: string; readonly into: string; readonly report: SalvageReport },
): void {
  const form = {
    id: into,
    notice: `${into} made of ${dataDir}: ${summary(report)}`,
    next: `hydrant doctor --data-dir ${quoted(into)} && hydrant serve --data-dir ${quoted(into)}`,
  };
  if (flags.json === true || flags.quiet === true) {
    out.done({ data_dir: into, from: dataDir, ...report }, form);
    return;
  }
  out.list(report.tables, { id: ({ name }) => name, columns, none: 'no row could be read' });
  for (const text of doubts(report, dataDir)) out.notice(text);
  out.notice(form.notice, form.next);
}

function summary({ tables }: SalvageReport): string {
  const sum = (of: (table: SalvagedTable) => number): number => tables.reduce((total, table) => total + of(table), 0);
  const saved = `${number(sum((table) => table.saved))} rows saved`;
  const [rows, pages] = [sum(({ broken, dropped }) => broken + dropped), sum((table) => table.pages)];
  if (rows + pages === 0) return `${saved}, no known losses`;
  const unread = pages === 0 ? '' : `, and the contents of ${count(pages, 'page')} of 8 KiB`;
  return `${saved}; lost: ${count(rows, 'row')}${unread}`;
}

/** What one has to know of the result besides its rows. */
function doubts({ catalog, renewed_taps: renewed, journal_cut: isCut }: SalvageReport, dataDir: string): string[] {
  const isOwn = catalog === path.join(dataDir, 'catalog.json');
  return [
    ...(isOwn ? [] : [`organizations, taps and rules come from ${catalog}: later changes are not in it`]),
    ...(isCut ? ['the journal (hydrant.db-wal) is damaged before its end: the last writes may be missing'] : []),
    ...renewed.map((name) => `the token of ${name} is lost, and it has a new one: hydrant tap token ${quoted(name)}`),
  ];
}
