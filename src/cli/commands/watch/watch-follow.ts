import type { WatchNewsItem } from '../../../shared/api/watch.ts';
import { changeLines, shownHunks } from '../../changes/change-lines.ts';
import { checkWords } from '../../changes/checks.ts';
import { Client } from '../../client/client.ts';
import { cursorBefore, followedChanges, newestCursor, type Outage } from '../../client/watch-changes.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { clockTime, duration } from '../../text/time.ts';
import { domainOf, printable, printableJson } from '../../text/printable.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { Ending, exitCodeOf, watchReader } from '../../runtime/ending.ts';
import { Exec } from '../../runtime/child-processes.ts';
import type { Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { instantOf } from './watch-log.ts';
import { findWatches } from './watch-names.ts';

/** `hydrant watch follow`: changes as they are found. */
interface WatchFollowFlags {
  readonly since?: string | undefined;
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly exec?: string | undefined;
}

export async function followChanges(
  session: Session,
  wanted: readonly string[],
  flags: WatchFollowFlags,
): Promise<number> {
  const { context } = session;
  if (flags.since !== undefined && flags.after !== undefined) {
    throw new UsageError('--since and --after both set the start; give one');
  }
  const since = flags.since === undefined ? undefined : instantOf(flags.since, context.now(), '--since');
  const ending = new Ending(process, context.closed);
  const unwatch = watchReader(context.io.stdout, () => ending.because('closed'));
  try {
    const client = new Client(await context.resolve(session.flags), ending.signal);
    const ids = wanted.length === 0 ? undefined : idsOf(findWatches(await client.watches.list(), wanted));
    const start = since === undefined ? newestCursor : (watches: Client['watches']) => cursorBefore(watches, since);
    const after = flags.after ?? (await start(client.watches));
    const follower = new Follower(session, ending, flags);
    return await follower.follow(client, after, ids);
  } catch (error) {
    // What an interruption breaks off is no failure.
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    throw error;
  } finally {
    unwatch();
    ending.dispose();
  }
}

function idsOf(watches: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(watches.map(({ id }) => id));
}

class Follower {
  readonly #session: Session;
  readonly #ending: Ending;
  readonly #flags: WatchFollowFlags;
  readonly #exec: Exec | undefined;
  #told = 0;
  #failed = 0;
  #isAway = false;

  constructor(session: Session, ending: Ending, flags: WatchFollowFlags) {
    this.#session = session;
    this.#ending = ending;
    this.#flags = flags;
    const { environment, io } = session.context;
    const options = { jobs: 1, environment, stdout: io.stdout, stderr: io.stderr };
    this.#exec = flags.exec === undefined ? undefined : new Exec({ ...options, command: flags.exec }, ending.signal);
  }

  async follow(client: Client, after: number, ids: ReadonlySet<string> | undefined): Promise<number> {
    const { context } = this.#session;
    let cursor = after;
    const options = { watches: client.watches, after, signal: this.#ending.signal };
    const onOutage = (outage: Outage | undefined): void => this.#tellOutage(outage);
    for await (const item of followedChanges({ ...options, now: context.now, random: context.random, onOutage })) {
      if (ids?.has(item.watch.id) !== false) await this.#tell(item);
      cursor = item.cursor;
      if (this.#told === this.#flags.limit || this.#ending.signal.aborted) break;
    }
    if (this.#ending.cause !== 'closed') {
      const words = count(this.#told, 'change');
      this.#session.out.notice(`${words} · continue with: hydrant watch follow --after ${cursor}`);
    }
    if (this.#ending.signal.aborted) return exitCodeOf(this.#ending.cause);
    return this.#failed > 0 ? exitCode.no : exitCode.ok;
  }

  async #tell(item: WatchNewsItem): Promise<void> {
    const { context, out } = this.#session;
    this.#told += 1;
    if (this.#exec) return this.#run(this.#exec, item);
    const text = out.forPeople ? this.#lines(item).join('\n') : this.#line(item);
    return pacedWrite(context.io.stdout, `${text}\n`, this.#ending.signal);
  }

  #line(item: WatchNewsItem): string {
    return this.#session.flags.quiet === true ? item.watch.id : printableJson(item);
  }

  #lines({ watch, title, check }: WatchNewsItem): string[] {
    const { context, out } = this.#session;
    const width = Math.max(20, (context.io.stdout.columns ?? 80) - INDENT.length);
    const all = changeLines(shownHunks(check), { paint: out.paint, width });
    const more = all.length - LINES;
    const next = `hydrant watch diff ${watch.id.slice(0, 8)} ${check.n}`;
    return [
      `${clockTime(check.at)}  ${domainOf(watch.url)}  ${out.paint('bold', printable(title ?? watch.url))}`,
      `${INDENT}${printable(`${checkWords(check)} · ${watch.url}`)}`,
      ...all.slice(0, LINES).map((line) => INDENT + line),
      ...(more > 0 ? [`${INDENT}${out.paint('dim', printable(`… ${count(more, 'more line')}: ${next}`))}`] : []),
      '',
    ];
  }

  /** One at a time: the next change waits. A command that fails does not end the others. */
  async #run(exec: Exec, item: WatchNewsItem): Promise<void> {
    const fault = await exec.run({ input: `${JSON.stringify(item)}\n`, variables: {} });
    if (fault === undefined || this.#ending.signal.aborted) return;
    this.#failed += 1;
    const how = `--exec: ${fault}, for the change with cursor ${item.cursor}`;
    const { out } = this.#session;
    const told = { code: 'exec', cursor: item.cursor, message: how };
    out.warning(told, [`${out.paintNotice('yellow', 'warning:')} ${printable(how)}`]);
  }

  /** An outage is one line when it begins and one when it is over, however many tries lie between. */
  #tellOutage(outage: Outage | undefined): void {
    const { out } = this.#session;
    if (outage && !this.#isAway) out.notice(`retrying in ${duration(outage.delayMs + 999)}: ${outage.reason}`);
    if (!outage && this.#isAway) out.notice('connected again');
    this.#isAway = outage !== undefined;
  }
}

/** Lines of one change: the rest is told by `watch diff`. */
const LINES = 12;
const INDENT = ' '.repeat('14:02:11  '.length);
