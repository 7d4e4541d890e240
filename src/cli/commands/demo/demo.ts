import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { Client } from '../../client/client.ts';
import { RuleBook } from '../../client/rule-book.ts';
import type { Connection, Environment } from '../../runtime/context.ts';
import { wantsColour } from '../../runtime/output.ts';
import { printable } from '../../../shared/text/printable.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { formOf, secondsOf } from '../tail/tail.ts';
import type { TailSession } from '../tail/tail-run.ts';
import type { RuleCreation } from '../../../shared/api/rule.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SettingName } from '../../../shared/settings.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';

interface DemoFlags {
  /** Seconds. */
  readonly for?: number | undefined;
  readonly plain?: true | undefined;
  readonly seed?: number | undefined;
}

const TAP = 'demo';

const ABOUT = `
Works offline and leaves nothing behind: a daemon on a temporary directory
crawls a small web site that this command serves on the loopback interface, and
the matches of five rules are shown as hydrant tail shows them.
`;

/** `hydrant demo`: the whole path on one machine, from a page that changes to a match on the terminal. */
export function demoCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('demo'),
    'hydrant demo',
    'hydrant demo --plain --for 30s',
    'hydrant demo --json | jq .',
  )
    .description('see it work: a small web site that changes, five rules, and their matches')
    .option('--for <time>', 'stop after 30s, 10m, 1h', secondsOf)
    .option('--plain', 'readable lines instead of the screen')
    .option('--seed <number>', 'another story of the site (default: a new one each time)', seedOf)
    .addHelpText('after', ABOUT)
    .action(action((session, _words, flags) => demo(session, flags)));
}

async function demo(session: Session, flags: DemoFlags): Promise<number> {
  // A second Ctrl-C must not leave a daemon and a directory behind: cleaning up has its own time limit.
  const ending = new Ending(process, session.context.closed, { holds: true });
  const undo: (() => Promise<void>)[] = [];
  try {
    return await show(session, flags, ending, undo);
  } catch (error) {
    // What fails because of the interruption is not a failure.
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    throw error;
  } finally {
    for (const step of undo.reverse()) await step();
    ending.dispose();
  }
}

async function show(
  session: Session,
  flags: DemoFlags,
  ending: Ending,
  undo: (() => Promise<void>)[],
): Promise<number> {
  const { context } = session;
  // Only who watches the demo pays for its server.
  const { startSite } = await import('./site.ts');
  const seed = flags.seed ?? Math.floor(context.random() * MOST_SEED);
  const site = await startSite({ seed, now: context.now });
  undo.push(async () => site.close());
  announce(session, site.urls, seed);
  const daemon = await TemporaryDaemon.spawn(context.daemonPath, context.environment);
  undo.push(async () => daemon.stop());
  const connection = await connected(session, daemon, ending.signal);
  const client = new Client(connection, ending.signal);
  const token = await setUp(client, site.urls);
  const { runTail } = await import('../tail/tail-run.ts');
  const rules = async () => client.rules(token);
  return runTail({
    context,
    taps: [
      {
        tap: TAP,
        tapId: undefined,
        // From the first event: pages may have been visited before the stream was open.
        follow: { target: connection.target, token, offset: 0, now: context.now, random: context.random },
        rules: new RuleBook(await rules(), rules, context.now),
      },
    ],
    form: formed(session, flags),
    ending,
    label: 'a small web site',
    open: true,
    durationMs: flags.for === undefined ? undefined : flags.for * 1_000,
    once: false,
    quiet: session.flags.quiet === true,
    resume: undefined,
  });
}

function formed({ context, out, flags: { json, color } }: Session, { plain }: DemoFlags): TailSession['form'] {
  const kind = formOf({ json, plain }, context);
  if (kind === 'plain') return { kind, paint: out.paint, now: context.now };
  if (kind !== 'screen') return { kind: 'json', fields: undefined };
  return { kind, colour: wantsColour(context.io.stdout, context.environment, { color }), actions: undefined };
}

/** Waits until the daemon answers. When it does not, the last lines of its log say why. */
async function connected(session: Session, daemon: TemporaryDaemon, signal: AbortSignal): Promise<Connection> {
  const { context } = session;
  try {
    return await daemon.ready(async () => {
      const connection = await context.resolve({ dataDir: daemon.dataDir });
      await new Client(connection, signal).status();
      return connection;
    }, signal);
  } catch (error) {
    if (!signal.aborted) for (const line of daemon.lastWords) say(session, `hydrantd: ${line}`);
    throw error;
  }
}

/** The rules before the pages, so that the first visit already meets them. Answers with the tap's token. */
async function setUp(client: Client, urls: readonly string[]): Promise<string> {
  const { token } = await client.createTap(TAP);
  for (const rule of demoRules) await client.createRule(token, rule);
  for (const url of urls) await client.crawl.add({ url, scope: 'page', every_seconds: 2 });
  return token;
}

function announce(session: Session, urls: readonly string[], seed: number): void {
  if (session.flags.quiet === true) return;
  say(session, `A made-up harbour town on this machine: ${urls.length} pages, changing every few seconds.`);
  for (const url of urls) say(session, `  ${url}`);
  say(session, 'Five rules watch them:');
  for (const { tag, value } of demoRules) say(session, `  ${tag.padEnd(9)} ${value}`);
  say(session, `Ctrl-C leaves; nothing is kept. The same story again: hydrant demo --seed ${seed}`);
}

function say({ context }: Session, line: string): void {
  context.io.stderr.write(`${printable(line)}\n`);
}

const MOST_SEED = 1_000_000;

function seedOf(text: string): number {
  const seed = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (seed < MOST_SEED) return seed;
  throw new InvalidArgumentError(`It must be a whole number below ${MOST_SEED}.`);
}

/**
 * Five rules, each with something to tell: a title with a group, words and a phrase, an exclusion, two phrases, and
 * what went together with what came. Only the news page carries a date, so only its rule keeps the quality filter,
 * which wants pages of the last seven days.
 */
export const demoRules: readonly (RuleCreation & { readonly tag: string })[] = [
  { tag: 'news', value: 'title:"Harbour Post" AND (ferry OR bridge OR lighthouse OR market)', quality: true },
  { tag: 'prices', value: 'coffee OR honey OR "olive oil"', quality: false },
  { tag: 'security', value: '(security OR vulnerability) AND NOT crash', quality: false },
  { tag: 'outage', value: '"major outage" OR "degraded performance"', quality: false },
  { tag: 'recovered', value: 'title:status AND removed:(outage OR degraded) AND added:operational', quality: false },
];

/** Milliseconds a daemon may take to stop, as long as it takes to finish what is under way, and to start. */
const STOP_MS = 10_000;
const START_MS = 20_000;
/** Lines of its log that are kept, for the case that it fails. */
const LOG_LINES = 12;

/**
 * A daemon of our own on a data directory that goes with it. It gets no setting from outside: neither the user's
 * environment nor their config file has a say in what a demo shows. It leads its own process group, so that Ctrl-C
 * reaches us alone, and we stop it in order. Nothing is said over the IPC channel: its end tells the daemon that we
 * were killed, so that it ends too.
 */
export class TemporaryDaemon {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  readonly #exited: Promise<void>;
  readonly #atExit: () => void;

  private constructor(dataDir: string, child: ChildProcess) {
    this.dataDir = dataDir;
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      // `close`, not `exit`: its last words may still be on their way.
      child.on('close', () => resolve());
      child.on('error', (error) => {
        this.#log.push(error.message);
        resolve();
      });
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    // Should the process be ended on the spot, the daemon and its directory still go with it.
    this.#atExit = () => {
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    };
    process.on('exit', this.#atExit);
  }

  static async spawn(daemonPath: string, environment: Environment): Promise<TemporaryDaemon> {
    const dataDir = await makeDirectory();
    const flags = {
      'data-dir': dataDir,
      listen: '127.0.0.1',
      port: '0',
      'allow-private': '127.0.0.0/8',
      'crawl-host-delay': '0',
      'log-level': 'warn',
      'log-format': 'pretty',
    } satisfies Partial<Record<SettingName, string>>;
    const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(process.execPath, [daemonPath, ...words], {
      detached: true,
      env: { ...without(environment, /^(HYDRANT_|XDG_)/), XDG_CONFIG_HOME: dataDir, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return new TemporaryDaemon(dataDir, child);
  }

  /** The last lines of its log. */
  get lastWords(): readonly string[] {
    return this.#log;
  }

  /** Until `answers` throws no failure. @throws {Failure} when it ends or takes too long; the signal's reason */
  async ready<Answer>(answers: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    for (;;) {
      const answer = await answers().catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return undefined;
      });
      if (answer !== undefined) return answer;
      const over = await Promise.race([this.#exited.then(() => 'exited'), pause(50, 'not yet')]);
      signal.throwIfAborted();
      if (over === 'exited') throw failed('the daemon did not start');
      if (deadline.aborted) throw failed(`the daemon did not answer within ${START_MS / 1_000} s`);
    }
  }

  /** SIGTERM, then SIGKILL; its directory goes. */
  async stop(): Promise<void> {
    if (this.#isAlive()) {
      this.#child.kill('SIGTERM');
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
      await this.#exited;
      clearTimeout(timer);
    }
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
    process.off('exit', this.#atExit);
  }

  #isAlive(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #keep(text: string): void {
    this.#log.push(...text.split('\n').filter((line) => line.trim() !== ''));
    this.#log.splice(0, this.#log.length - LOG_LINES);
  }
}

async function makeDirectory(): Promise<string> {
  try {
    return await mkdtemp(path.join(tmpdir(), 'hydrant-demo-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `cannot make a directory for the demo's data in ${tmpdir()}: ${code}`;
    throw new Failure('no_directory', exitCode.no, message, { hint: 'set TMPDIR to a directory that can be written' });
  }
}

function failed(what: string): Failure {
  return new Failure('daemon_failed', exitCode.no, what);
}

function without(environment: Environment, names: RegExp): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.test(name)));
}
