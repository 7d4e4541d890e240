import type { WatchOptions } from '../../../shared/api/watch.ts';
import { RENDER_SECONDS } from '../../../shared/limits.ts';
import { accountOf } from '../../../shared/page/account.ts';
import { read } from '../../../shared/page/read.ts';
import { readFetched, type WatchedReading } from '../../../shared/page/select/watch-reading.ts';
import { linesOf } from '../../../shared/page/select/watched.ts';
import { count } from '../../../shared/text/plural.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { isUrl, pageFailure, PageProblem } from '../../pages/page-source.ts';
import { type ExitCode, exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { pacedWrite } from '../../runtime/output.ts';
import type { Session } from '../session.ts';
import { optionFlags } from './watch-options.ts';

/** A page as a browser shows it. */
interface Rendered {
  readonly reading: WatchedReading;
  readonly lines: readonly string[];
  /** Why it may not have been complete. */
  readonly unsettled: string | undefined;
}

/** @throws {UsageError} for a file; {Failure} where it cannot be rendered */
export async function tryRendered(
  { context }: Session,
  source: string,
  { select = [], ignore = [], render }: Partial<WatchOptions>,
): Promise<Rendered> {
  if (!isUrl(source))
    throw new UsageError('--render needs the URL of a page: what a file says is what its server sent');
  const { settingsOf } = await context.upkeep();
  const settings = await settingsOf({}, context.environment);
  const withinMs = (render?.within_seconds ?? RENDER_SECONDS.default) * 1_000;
  const wish = { withinMs, waitFor: render?.wait_for, settings };
  const signal = context.closed ?? new AbortController().signal;
  const found = await context.fetchPage(source, signal, 'person', wish);
  if (found.outcome === 'failed') throw pageFailure(source, new PageProblem(found.reason, `rendered: ${found.detail}`));
  const reading = await readFetched(found, { select, ignore }, context.now(), read);
  if (reading.outcome === 'failed') {
    throw pageFailure(source, new PageProblem(reading.reason, `rendered: ${reading.detail}`));
  }
  return { reading, lines: linesOf(reading.page), unsettled: found.unsettled };
}

interface Both {
  readonly source: string;
  /** The lines of the page as its server sends it. */
  readonly sent: readonly string[];
  /** Why there are none. */
  readonly failure: { readonly reason: string; readonly detail: string } | undefined;
  readonly rendered: Rendered;
  readonly options: Partial<WatchOptions>;
}

/** Both readings, and whether the browser's has more. */
export async function showBoth(session: Session, both: Both): Promise<ExitCode> {
  const { context, flags, out } = session;
  const { sent, rendered, source, options } = both;
  const gained = without(rendered.lines, sent);
  const lost = without(sent, rendered.lines);
  const text =
    flags.json === true
      ? printableJson(objectOf(both, gained, lost))
      : flags.quiet === true
        ? rendered.lines.map(printable).join('\n')
        : formatted(session, both, new Set(gained));
  await pacedWrite(context.io.stdout, `${text}\n`, context.closed);
  const isWorth = gained.length > 0;
  const words = ['hydrant watch add', quoted(source), ...optionFlags(isWorth ? options : { ...options, render: null })];
  const less = lost.length === 0 ? '' : `, and leaves out ${lost.length}`;
  const verdict = isWorth
    ? `rendering adds ${count(gained.length, 'line')}${less}`
    : 'rendering adds nothing: leave out --render';
  out.notice(verdict, words.join(' '));
  return exitCode.ok;
}

/** Those of the first that the second has not as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const times = left.get(line) ?? 0;
    left.set(line, times - 1);
    return times <= 0;
  });
}

function formatted({ out }: Session, { sent, failure, rendered }: Both, gained: ReadonlySet<string>): string {
  const { title } = rendered.reading.whole;
  const row = (name: string, value: string): string => `${out.paint('dim', name.padEnd(9))} ${printable(value)}`;
  const numbered = (lines: readonly string[], mark: (line: string) => string): string[] =>
    lines.map((line, at) => `${out.paint('dim', String(at + 1).padStart(4))} ${mark(line)} ${printable(line)}`);
  const account = accountFields(accountOf(rendered.reading.whole));
  return [
    title === undefined ? out.paint('dim', '(no title)') : out.paint('bold', printable(title)),
    row('sent', failure ? failure.detail : count(sent.length, 'line')),
    ...numbered(sent, () => ' '),
    '',
    row('rendered', `${count(rendered.lines.length, 'line')}; + marks those that only a browser shows`),
    ...(rendered.unsettled === undefined ? [] : [row('unsettled', rendered.unsettled)]),
    ...account.flatMap(([name, value]) => (value === undefined ? [] : [row(name, value)])),
    ...numbered(rendered.lines, (line) => (gained.has(line) ? '+' : ' ')),
  ].join('\n');
}

function objectOf(
  { sent, failure, rendered, source }: Both,
  gained: readonly string[],
  lost: readonly string[],
): object {
  return {
    url: source,
    sent: { lines: sent, ...(failure && { reason: failure.reason, detail: failure.detail }) },
    rendered: {
      lines: rendered.lines,
      account: accountOf(rendered.reading.whole),
      ...(rendered.unsettled !== undefined && { unsettled: rendered.unsettled }),
    },
    gained,
    lost,
  };
}
