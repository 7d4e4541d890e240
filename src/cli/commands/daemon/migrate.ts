import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { setImmediate } from 'node:timers/promises';
import type { MigrateReport, MovedTable } from '../../../shared/api/backup.ts';
import { grouped } from '../../../shared/grouped.ts';
import { count } from '../../../shared/text/plural.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { localDirectory } from '../../runtime/connection.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { upkeepFailure, UsageError } from '../../runtime/failure.ts';
import { Progress } from '../../runtime/output.ts';
import type { Column } from '../../text/table.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';

interface MigrateFlags {
  readonly to?: string | true | undefined;
  readonly from?: string | true | undefined;
}

/** All data of a daemon that does not run, into a PostgreSQL database, or out of one. */
export function migrateCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('migrate'),
    'hydrant migrate --to postgres://hydrant@db.example/hydrant',
    'HYDRANT_STORE_FILE=/etc/hydrant/store hydrant migrate --to',
    'hydrant migrate --from postgres://hydrant@db.example/hydrant --data-dir /srv/hydrant',
  )
    .description('move all data to a PostgreSQL database or back; no daemon may be running')
    .addOption(
      new Option(
        '--to [url]',
        'move the data directory into this empty database, or the one of HYDRANT_STORE',
      ).conflicts('from'),
    )
    .option('--from [url]', 'move this database into the data directory, which has no data, but the file secret')
    .action(action((session, _words, flags) => migrate(session, flags)));
}

/** All of it, or nothing. Answers the exit code. */
async function migrate(session: Session, flags: MigrateFlags): Promise<number> {
  const { context, out } = session;
  const direction = directionOf(flags);
  const dataDir = await localDirectory(session.flags, context.environment, 'migrate');
  const upkeep = await context.upkeep();
  const ending = new Ending(process, context.closed);
  const progress = new Progress(context, { silent: session.flags.quiet === true || session.flags.json === true });
  const onStep = async (what: string, rows: number): Promise<void> => {
    progress.tell(() => (rows === 0 ? what : `${what}: ${count(rows, 'row')}`));
    // A signal is heard between two turns of the event loop.
    await setImmediate();
    ending.signal.throwIfAborted();
  };
  try {
    const url = await addressOf(session, dataDir, flags[direction]);
    const report = await upkeep.migrate({ direction, dataDir, url, onStep });
    progress.end();
    say(session, report);
  } catch (error) {
    if (!ending.signal.aborted) throw upkeepFailure(error);
    out.notice('stopped: nothing was moved');
  } finally {
    progress.end();
    ending.dispose();
  }
  return exitCodeOf(ending.cause);
}

function directionOf({ to, from }: MigrateFlags): 'to' | 'from' {
  if (to !== undefined) return 'to';
  if (from !== undefined) return 'from';
  throw new UsageError('neither --to nor --from is given', {
    hint: '--to <url> moves into a database, --from <url> out of it',
  });
}

/** As typed, or as a daemon of this environment would have it: a password that is typed is seen by other users of the machine. */
async function addressOf({ context }: Session, dataDir: string, typed: string | true | undefined): Promise<string> {
  const { settingsOf } = await context.upkeep();
  const store = typeof typed === 'string' ? { store: typed } : {};
  const { store: url } = await settingsOf({ dataDir, ...store }, context.environment);
  if (url !== '') return url;
  throw new UsageError('there is no address of a database', {
    hint: 'type it behind the flag, or set HYDRANT_STORE or HYDRANT_STORE_FILE',
  });
}

const columns: readonly Column<MovedTable>[] = [
  { title: 'table', show: ({ name }) => name, least: 10 },
  { title: 'rows', show: ({ rows }) => grouped(rows), plain: ({ rows }) => String(rows), align: 'right' },
  { title: 'checksum', show: ({ checksum }) => checksum },
];

function say({ flags, out }: Session, report: MigrateReport): void {
  const { data_dir: dataDir, database, direction } = report;
  const isThere = direction === 'to';
  const [from, into] = isThere ? [dataDir, database] : [database, dataDir];
  const form = {
    id: into,
    notice: `${from} moved to ${into}: ${equalWords(report)}`,
    next: isThere
      ? 'HYDRANT_STORE_FILE=<file> hydrant serve'
      : `hydrant doctor --data-dir ${quoted(dataDir)} && hydrant serve --data-dir ${quoted(dataDir)}`,
  };
  if (flags.json === true || flags.quiet === true) {
    out.done(report, form);
    return;
  }
  out.list(report.tables, { id: ({ name }) => name, columns, none: 'no row was there' });
  out.notice(form.notice, form.next);
  out.notice(
    isThere
      ? `each further daemon of the database needs the file secret of ${dataDir}; what is left there is no longer used`
      : `start no daemon on ${database} again: it would give ids of events once more`,
  );
}

function equalWords({ partition, offsets, tables }: MigrateReport): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const ids = `ids of events go on in partition ${partition} after ${count(offsets, 'offset')}`;
  return `${count(rows, 'row')} in ${count(tables.length, 'table')}, with equal counts and checksums on both sides; ${ids}`;
}
