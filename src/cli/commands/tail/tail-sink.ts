import { setTimeout as pause } from 'node:timers/promises';
import type { Update } from '../../client/stream-event.ts';
import type { Context } from '../../runtime/context.ts';
import { universalTime } from '../../../shared/text/universal-time.ts';
import { clockTime } from '../../text/time.ts';
import { domainOf, printable, printableJson } from '../../../shared/text/printable.ts';
import { cut, pad, widthOf } from '../../text/table.ts';
import { pacedWrite, type Paint } from '../../runtime/output.ts';
import { Exec } from '../../runtime/child-processes.ts';
import type { Feed } from './tail-feed.ts';
import { MATCH_FIELDS, type MatchObject, pick } from './tail-fields.ts';
import { fill, type Template } from '../../text/template.ts';
import type { DiffChunk } from '../../../shared/api/match.ts';
import type { Rule } from '../../../shared/api/rule.ts';
import { labelOf, tagsOf } from '../../client/rule-book.ts';

/** Commands begun and not passed by the cursor: one that hangs holds it, and the others, before memory is filled. */
const UNPASSED = 1_000;
/** Milliseconds that the last lines are given to leave, once someone wants us to end. */
const LAST_LINES_MS = 100;

/** The tap that a match is of: its stream, or what is replayed of one of its rules. */
export interface SinkFeed extends Pick<Feed, 'cursor' | 'order'> {
  readonly lane: Pick<Feed['lane'], 'tap' | 'tapId' | 'rules'>;
}

/** What becomes of a match. */
interface Sink {
  /** Resolves when the next one may come. */
  take(feed: SinkFeed, update: Update): Promise<void>;
  /** Resolves when nothing is under way. */
  finish(): Promise<void>;
  /** Commands that did not succeed. */
  readonly failures: number;
}

interface SinkOptions {
  readonly io: Context['io'];
  readonly form: LineForm;
  readonly exec: ExecFacts | undefined;
  /** Nothing more is wanted. */
  readonly ending: AbortSignal;
  /** Whether the name of the tap stands in lines for people. */
  readonly namesTap: boolean;
  readonly say: (line: string) => void;
}

export type LineForm =
  | { readonly kind: 'plain'; readonly paint: Paint; readonly now: () => number }
  | { readonly kind: 'json'; readonly fields: readonly string[] | undefined }
  | { readonly kind: 'template'; readonly template: Template };

export interface ExecFacts {
  readonly command: string;
  readonly jobs: number;
  readonly environment: Context['environment'];
}

export function sinkOf(options: SinkOptions): Sink {
  return options.exec === undefined ? new Lines(options) : new Commands(options, options.exec);
}

/** Each match is a line, or a few, of stdout. */
class Lines implements Sink {
  readonly failures = 0;
  readonly #options: SinkOptions;
  #isKept = false;

  constructor(options: SinkOptions) {
    this.#options = options;
  }

  async take(feed: SinkFeed, update: Update): Promise<void> {
    const { io, ending } = this.#options;
    const text = await this.#text(feed, update);
    this.#isKept = feed.cursor !== undefined;
    const left = this.#isKept ? feed.order.begin(update.id) : undefined;
    await pacedWrite(io.stdout, text, ending, left);
  }

  /** A text without a length leaves after all that have one; who keeps no cursor need not know when. */
  async finish(): Promise<void> {
    if (!this.#isKept) return;
    const left = new Promise<void>((resolve) => {
      this.#options.io.stdout.write('', () => resolve());
    });
    await (this.#options.ending.aborted ? Promise.race([left, pause(LAST_LINES_MS, undefined, { ref: false })]) : left);
  }

  async #text({ lane }: SinkFeed, update: Update): Promise<string> {
    const { form, io, namesTap } = this.#options;
    const rules = await lane.rules.find(update.match.query_ids);
    if (form.kind === 'json') return jsonLine(chosen(matchObject(update, rules, nameOf(lane)), form.fields));
    if (form.kind === 'template')
      return fill(form.template, matchObject(update, rules, nameOf(lane)), MATCH_FIELDS.made);
    const { columns, isTTY } = io.stdout;
    return plainLines(update, rules, {
      paint: form.paint,
      ...(namesTap && { tap: lane.tap }),
      ...(isTTY === true && { now: form.now() }),
      ...(isTTY === true && columns !== undefined && { columns }),
    });
  }
}

/** Each match is the stdin of a command. */
class Commands implements Sink {
  failures = 0;
  readonly #options: SinkOptions;
  readonly #exec: Exec;

  constructor(options: SinkOptions, facts: ExecFacts) {
    this.#options = options;
    const { stdout, stderr } = options.io;
    this.#exec = new Exec({ ...facts, stdout, stderr }, options.ending);
  }

  async take(feed: SinkFeed, update: Update): Promise<void> {
    const { ending, form } = this.#options;
    const rules = await feed.lane.rules.find(update.match.query_ids);
    await this.#exec.room();
    while (feed.order.size >= UNPASSED && !ending.aborted) await this.#exec.oneEnds();
    if (ending.aborted) return;
    const match = matchObject(update, rules, nameOf(feed.lane));
    const input = jsonLine(chosen(match, form.kind === 'json' ? form.fields : undefined));
    const ended = feed.order.begin(update.id);
    void this.#exec.run({ input, variables: variablesOf(update, nameOf(feed.lane), match) }).then((why) => {
      ended(why === undefined);
      if (why !== undefined) this.#tell(feed, update, why);
    });
  }

  async finish(): Promise<void> {
    await this.#exec.idle();
  }

  #tell({ cursor }: SinkFeed, { id }: Update, why: string): void {
    this.failures += 1;
    const again = cursor === undefined || this.failures > 1 ? '' : '; the next --resume starts there, or earlier';
    this.#options.say(`the command failed for ${id}: ${why}${again}`);
  }
}

/** A tap that we know by its token alone has no name. */
function nameOf({ tap, tapId }: SinkFeed['lane']): string | undefined {
  return tapId === undefined ? undefined : tap;
}

function chosen(match: MatchObject, fields: readonly string[] | undefined): MatchObject {
  return fields === undefined ? match : pick(match, fields);
}

/** Not `HYDRANT_URL`: that is the daemon, for a `hydrant` inside the command. */
function variablesOf(
  { id, match }: Update,
  tap: string | undefined,
  { tags }: MatchObject,
): Record<string, string | undefined> {
  const { url, title, language } = match.document;
  return {
    MATCH_ID: id,
    MATCH_TAP: tap,
    MATCH_TAGS: Array.isArray(tags) ? tags.join(',') : '',
    MATCH_MATCHED_AT: match.matched_at,
    MATCH_URL: url,
    MATCH_DOMAIN: domainOf(url),
    MATCH_TITLE: title,
    MATCH_LANGUAGE: language,
  };
}

/** Chunks shown of one match, and columns of each where the output is no terminal. */
const CHUNKS = 6;
const WIDTH_ELSEWHERE = 200;
const LABEL = 12;
const DOMAIN = 20;
const INDENT = ' '.repeat('14:02:11  '.length);

/**
 * One match as an object: the payload as it came, with the event's id before it; the name of its tap, where that is
 * known, and the tags of its rules behind.
 */
export function matchObject(update: Update, rules: readonly Rule[], tap?: string): MatchObject {
  return {
    id: update.id,
    event: 'update',
    ...update.payload,
    ...(tap !== undefined && { tap }),
    tags: tagsOf(rules),
  };
}

/** The same as one line of JSON. What a terminal would act on is escaped: the value is the same, printing it safe. */
export function jsonLine(match: MatchObject): string {
  return `${printableJson(match)}\n`;
}

/**
 * One match for people: `14:02:11  linux  lwn.net  Kernel prepatch 6.19-rc4`, then what came and what went, then
 * where. Everything in it is a stranger's text.
 */
export function plainLines(
  update: Update,
  rules: readonly Rule[],
  form: {
    readonly paint: Paint;
    readonly columns?: number;
    /** Milliseconds since 1970, on a terminal; elsewhere times are in UTC. */
    readonly now?: number;
    /** Named where there are several. */
    readonly tap?: string;
  },
): string {
  const { document, matched_at } = update.match;
  const width = form.columns ?? WIDTH_ELSEWHERE;
  const head = [
    form.now === undefined ? universalTime(matched_at) : clockTime(matched_at, form.now),
    ...(form.tap === undefined ? [] : [pad(cut(printable(form.tap), LABEL), LABEL)]),
    pad(cut(printable(labelOf(rules)), LABEL), LABEL),
    pad(cut(domainOf(document.url), DOMAIN), DOMAIN),
  ].join('  ');
  const title = cut(printable(document.title ?? document.url), Math.max(20, width - widthOf(head) - 2));
  const room = Math.max(20, width - INDENT.length);
  const chunks = document.diff?.chunks ?? [];
  const more = chunks.length - CHUNKS;
  return [
    `${head}  ${form.paint('bold', title)}`,
    ...chunks.slice(0, CHUNKS).map((chunk) => INDENT + chunkLine(chunk, room, form.paint)),
    ...(more > 0 ? [`${INDENT}${form.paint('dim', `… ${more} more`)}`] : []),
    `${INDENT}${form.paint('dim', cut(printable(document.url), room))}`,
    '',
  ].join('\n');
}

function chunkLine(chunk: DiffChunk, room: number, paint: Paint): string {
  const added = chunk.typ === 'ins';
  return paint(added ? 'green' : 'red', `${added ? '+' : '-'} ${cut(printable(chunk.text), room - 2)}`);
}
