import { createHash } from 'node:crypto';
import type { WatchNewsItem } from '../../../shared/api/watch.ts';
import { changeLines } from '../../changes/change-lines.ts';
import { shownHunks } from '../../../shared/documents/shown-change.ts';
import { checkWords } from '../../../shared/documents/check-words.ts';
import { Client } from '../../client/client.ts';
import { cursorBefore, followedChanges, newestCursor, type Outage, pastChanges } from '../../client/watch-changes.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { Cursor, cursorFile } from '../../runtime/read-cursor.ts';
import { clockTime, duration } from '../../text/time.ts';
import {
  type FieldTable,
  fill,
  parseTemplate,
  type Printed,
  type Template,
  textOf,
  valueAt,
} from '../../text/template.ts';
import { domainOf, printable, printableJson } from '../../../shared/text/printable.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { Ending, exitCodeOf, watchReader } from '../../runtime/ending.ts';
import { Exec } from '../../runtime/child-processes.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { instantOf } from '../option-values.ts';
import { checkTagged, hasTags } from './watch-labels.ts';
import { findWatches } from './watch-names.ts';

/** `hydrant watch follow`: changes as they are found, or those that there are. */
interface WatchFollowFlags {
  readonly since?: string | undefined;
  readonly after?: number | undefined;
  readonly resume?: true | undefined;
  readonly once?: true | undefined;
  /** Seconds. */
  readonly for?: number | undefined;
  readonly limit?: number | undefined;
  readonly format?: string | undefined;
  readonly exec?: string | undefined;
  /** Only changes of watches that have all of them. */
  readonly tag?: readonly string[] | undefined;
}

export async function followChanges(
  session: Session,
  wanted: readonly string[],
  flags: WatchFollowFlags,
): Promise<number> {
  const { context } = session;
  const since = checkFlags(flags, context.now());
  const template = flags.format === undefined ? undefined : parseTemplate(flags.format, '--format', CHANGE_FIELDS);
  const ending = new Ending(process, context.closed);
  const unwatch = watchReader(context.io.stdout, () => ending.because('closed'));
  const timer = flags.for === undefined ? undefined : setTimeout(() => ending.because('done'), flags.for * 1_000);
  let cursor: Cursor | undefined;
  try {
    const client = new Client(await context.resolve(session.flags), ending.signal);
    const choice = await chosen(client.watches, wanted, flags.tag);
    cursor = flags.resume === true ? await openCursor(session, client.watches, choice) : undefined;
    const after = await startOf(session, client.watches, { flags, since, cursor });
    return await new Follower(session, ending, { flags, template, cursor, choice }).follow(client, after);
  } catch (error) {
    // What an interruption breaks off is no failure.
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    throw error;
  } finally {
    clearTimeout(timer);
    cursor?.close();
    unwatch();
    ending.dispose();
  }
}

/** @returns the instant of `--since`, in ms */
function checkFlags(flags: WatchFollowFlags, now: number): number | undefined {
  if (flags.since !== undefined && flags.after !== undefined) {
    throw new UsageError('--since and --after both set the start; give one');
  }
  if (flags.exec !== undefined && flags.format !== undefined) {
    throw new UsageError('--exec prints nothing, so --format has no meaning; give one');
  }
  return flags.since === undefined ? undefined : instantOf(flags.since, now, '--since');
}

/** Whose changes are wanted; a tag counts for watches that get it later, too. */
interface Choice {
  /** Undefined: of all watches. */
  readonly ids: ReadonlySet<string> | undefined;
  readonly tags: readonly string[];
}

async function chosen(
  watches: Client['watches'],
  wanted: readonly string[],
  tags: readonly string[] = [],
): Promise<Choice> {
  if (wanted.length === 0 && tags.length === 0) return { ids: undefined, tags };
  const all = await watches.list();
  const named = wanted.length === 0 ? all : findWatches(all, wanted);
  if (tags.length > 0) checkTagged(named, tags);
  return { ids: wanted.length === 0 ? undefined : new Set(named.map(({ id }) => id)), tags };
}

/** One for all watches of an organization, and one for each choice of them: another choice has seen other changes. */
async function openCursor({ context }: Session, watches: Client['watches'], choice: Choice): Promise<Cursor> {
  const { organization_id: organization } = await watches.changes({ newest: true, limit: 1 });
  if (organization === undefined) {
    throw new Failure('unsupported', exitCode.refused, 'this daemon is too old for --resume', {
      hint: 'continue with --after and the cursor of the last change',
    });
  }
  return Cursor.open(cursorFile(context.environment, `watches-${organization}${suffixOf(choice)}`));
}

function suffixOf({ ids, tags }: Choice): string {
  if (ids === undefined && tags.length === 0) return '';
  // Ids alone are named as they always were; no id has a line end.
  const words =
    [...(ids ?? [])].sort().join() +
    tags
      .toSorted()
      .map((tag) => `\n${tag}`)
      .join('');
  return `-${createHash('sha256').update(words).digest('hex').slice(0, 16)}`;
}

/** Where nothing says where to start: with `--once` at the first change that is kept, otherwise behind the newest. */
async function startOf(
  { out }: Session,
  watches: Client['watches'],
  { flags, since, cursor }: { flags: WatchFollowFlags; since: number | undefined; cursor: Cursor | undefined },
): Promise<number> {
  if (cursor?.next !== undefined) {
    const { offset } = cursor.next;
    const newest = await newestCursor(watches);
    if (offset <= newest) return offset;
    out.notice(`the daemon has fewer changes than were read, as after a restore; continuing with its newest`);
    return newest;
  }
  if (flags.after !== undefined) return flags.after;
  if (since !== undefined) return cursorBefore(watches, since);
  return flags.once === true ? 0 : newestCursor(watches);
}

interface Following {
  readonly flags: WatchFollowFlags;
  readonly template: Template | undefined;
  readonly cursor: Cursor | undefined;
  readonly choice: Choice;
}

class Follower {
  readonly #session: Session;
  readonly #ending: Ending;
  readonly #following: Following;
  readonly #exec: Exec | undefined;
  #told = 0;
  #failed = 0;
  #isAway = false;

  constructor(session: Session, ending: Ending, following: Following) {
    this.#session = session;
    this.#ending = ending;
    this.#following = following;
    const { environment, io } = session.context;
    const { exec: command } = following.flags;
    const options = { jobs: 1, environment, stdout: io.stdout, stderr: io.stderr };
    this.#exec = command === undefined ? undefined : new Exec({ ...options, command }, ending.signal);
  }

  async follow(client: Client, after: number): Promise<number> {
    const { flags, choice } = this.#following;
    let reached = after;
    for await (const item of this.#changes(client, after)) {
      if (this.#ending.signal.aborted) break;
      if (choice.ids?.has(item.watch.id) !== false && hasTags(item.watch, choice.tags)) await this.#tell(item);
      reached = item.cursor;
      this.#keep(reached);
      if (this.#told === flags.limit) break;
    }
    this.#keep(reached);
    this.#summarize(reached);
    if (this.#ending.signal.aborted && this.#ending.cause !== 'done') return exitCodeOf(this.#ending.cause);
    return this.#failed > 0 ? exitCode.no : exitCode.ok;
  }

  #changes({ watches }: Client, after: number): AsyncIterable<WatchNewsItem> {
    if (this.#following.flags.once === true) return pastChanges(watches, after);
    const { now, random } = this.#session.context;
    const onOutage = (outage: Outage | undefined): void => this.#tellOutage(outage);
    return followedChanges({ watches, after, signal: this.#ending.signal, now, random, onOutage });
  }

  /** A change whose command failed is the first of the next run. */
  #keep(reached: number): void {
    if (this.#failed === 0 && this.#ending.cause === 'done')
      this.#following.cursor?.moveTo({ partition: 0, offset: reached });
  }

  #summarize(reached: number): void {
    if (this.#ending.cause === 'closed') return;
    const words = count(this.#told, 'change');
    const next =
      this.#following.cursor === undefined ? ` · continue with: hydrant watch follow --after ${reached}` : '';
    this.#session.out.notice(`${words}${next}`);
  }

  async #tell(item: WatchNewsItem): Promise<void> {
    const { context, out } = this.#session;
    const { template } = this.#following;
    this.#told += 1;
    if (this.#exec) return this.#run(this.#exec, item);
    const text = out.forPeople ? `${this.#lines(item).join('\n')}\n` : `${this.#line(item)}\n`;
    const line = template === undefined ? text : fill(template, { ...item }, CHANGE_FIELDS.made);
    return pacedWrite(context.io.stdout, line, this.#ending.signal);
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
      `${clockTime(check.at, context.now())}  ${domainOf(watch.url)}  ${out.paint('bold', printable(watch.title ?? title ?? watch.url))}`,
      `${INDENT}${printable(`${checkWords(check)} · ${watch.url}`)}`,
      ...all.slice(0, LINES).map((line) => INDENT + line),
      ...(more > 0 ? [`${INDENT}${out.paint('dim', printable(`… ${count(more, 'more line')}: ${next}`))}`] : []),
      '',
    ];
  }

  /** One at a time: the next change waits. A command that fails does not end the others. */
  async #run(exec: Exec, item: WatchNewsItem): Promise<void> {
    const fault = await exec.run({ input: `${JSON.stringify(item)}\n`, variables: variablesOf(item) });
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

/** As `hydrant tail` names them, so that one command serves both. */
function variablesOf({ cursor, watch, title, check }: WatchNewsItem): Record<string, string | undefined> {
  return {
    MATCH_ID: String(cursor),
    MATCH_URL: watch.url,
    MATCH_DOMAIN: domainOf(watch.url),
    MATCH_TITLE: watch.title ?? title,
    MATCH_MATCHED_AT: check.at,
    WATCH_ID: watch.id,
    WATCH_TAGS: watch.tags?.join(','),
  };
}

const CHANGE_FIELDS: FieldTable = {
  noun: 'a change',
  keys: ['cursor', 'title', 'watch.id', 'watch.url', 'watch.title', 'watch.tags', 'check.n', 'check.at', 'check.lines'],
  made: {
    domain: (change) => domainOf(textOf(valueAt(change, 'watch.url'))),
    added: (change) => linesIn(change, 'ins'),
    removed: (change) => linesIn(change, 'del'),
  },
};

function linesIn(change: Printed, side: 'ins' | 'del'): string {
  // What is printed is the item itself.
  const { check } = change as unknown as Pick<WatchNewsItem, 'check'>;
  const lines = check.hunks?.flatMap(({ blocks }) => blocks.flatMap((block) => block[side] ?? []));
  const chunks = check.chunks?.flatMap(({ typ, text }) => (typ === side ? [text] : []));
  return (lines ?? chunks ?? []).join(' … ');
}

/** Lines of one change: the rest is told by `watch diff`. */
const LINES = 12;
const INDENT = ' '.repeat('14:02:11  '.length);
