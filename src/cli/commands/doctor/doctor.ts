import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { localDirectory } from '../../runtime/connection.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Out } from '../../runtime/output.ts';
import { count } from '../../../shared/text/plural.ts';
import { printable } from '../../../shared/text/printable.ts';
import { wrap } from '../../text/table.ts';
import type { Finding } from './finding.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';

interface DoctorFlags {
  readonly online?: string | true | undefined;
  readonly store: boolean;
}

/** What a page of the web is tried with: a name that is kept for such uses (RFC 2606). */
const EXAMPLE = 'https://example.org/';

/** Checks everything that could keep the daemon from working, and says how to fix what is wrong. */
export function doctorCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('doctor'),
    'hydrant doctor',
    'hydrant doctor --online',
    'hydrant doctor --json | jq -r \'.checks[] | select(.state != "ok") | .fix\'',
  )
    .description(
      'check for problems: directory, permissions, disk, clock, ports, database; exit code 1 if there are any',
    )
    .option('--online [url]', `also test the web connection, with ${EXAMPLE} or this page`)
    .option('--no-store', 'do not read the whole database')
    .action(action((session, _words, flags) => examineAll(session, flags)));
}

async function examineAll({ context, flags, out }: Session, { online, store }: DoctorFlags): Promise<number> {
  const url = online === true ? EXAMPLE : online;
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`--online: \`${url}\` is not the address of a page; it looks like ${EXAMPLE}`);
  }
  const dataDir = await localDirectory(flags, context.environment, 'doctor');
  const [{ examine, receive }, { machineChecks, dataChecks }, { networkChecks }, { database }] = await Promise.all([
    import('./finding.ts'),
    import('./local-checks.ts'),
    import('./network.ts'),
    import('./database-checks.ts'),
  ]);
  const patient = await receive(context, { dataDir, online: url, withStore: store });
  const checks = await examine(patient, { ...machineChecks, ...dataChecks, database, ...networkChecks });
  const failed = checks.filter(({ state }) => state === 'fail').length;
  const width = out.forPeople ? (context.io.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  out.one(
    { healthy: failed === 0, checks },
    { id: failed === 0 ? 'ok' : 'fail', lines: checks.flatMap((finding) => linesOf(finding, out, width)) },
  );
  const warned = checks.filter(({ state }) => state === 'warn').length;
  out.notice(failed + warned === 0 ? 'nothing is wrong' : `${failed} failed, ${count(warned, 'warning')}`);
  return failed === 0 ? exitCode.ok : exitCode.no;
}

const colours = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** Columns before what a check says. */
const INDENT = 22;
const FIX = 'fix:';

function linesOf({ name, state, says, fix }: Finding, { paint }: Out, width: number): string[] {
  const [said = '', ...more] = wrap(printable(says), width, INDENT);
  const lines = [`${paint(colours[state], state.padEnd(4))}  ${name.padEnd(14)}  ${said}`, ...more];
  if (fix === undefined) return lines;
  const [first = '', ...others] = wrap(printable(fix), width, INDENT + FIX.length + 1);
  return [...lines, `${' '.repeat(INDENT)}${paint('dim', FIX)} ${first}`, ...others];
}
