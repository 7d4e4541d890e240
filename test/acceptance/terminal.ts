import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless, { type IBufferLine } from '@xterm/headless';
import { until } from './real-daemon.ts';

const bin = join(import.meta.dirname, '../../bin/hydrant');
const PATIENCE_MS = 60_000;
/** DECSET that a program sets while it writes a frame (synchronized output). */
const IN_A_FRAME = 2_026;

/** `script` of util-linux makes the pseudo terminal; that of other systems takes other words, or is not there. */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface TerminalEnd {
  readonly exitCode: number | null;
  /** What the settings of the terminal (`stty -g`: raw mode, echo) were before the program, and after it. */
  readonly settings: { readonly before: string; readonly after: string };
}

/**
 * The real `bin/hydrant` on a pseudo terminal, whose bytes xterm.js reads as a terminal would: what is on the screen,
 * where the cursor is and whether it is seen. A shell starts the program and looks at the terminal after it.
 */
export class RealTerminal {
  readonly #directory = mkdtempSync(join(tmpdir(), 'hydrant-terminal-'));
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #exited: Promise<number | null>;
  readonly #watchers = new Set<() => void>();
  /** The private modes (DECSET) that are set: 25 shows the cursor, 1049 is the alternate screen. */
  readonly modes = new Set([25]);
  /** How often a frame has scrolled the alternate screen, or made the terminal ring. */
  faults = 0;
  #isEntering = false;
  /** The last whole frame: a pipe delivers frames in pieces, and half of one can pass for another. */
  #frame: Frame;

  static start(words: readonly string[], options: TerminalOptions = {}): RealTerminal {
    return new RealTerminal(words, options);
  }

  private constructor(words: readonly string[], { columns = 80, rows = 24, env = {} }: TerminalOptions) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    for (const final of ['h', 'l']) {
      this.#terminal.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
        for (const mode of parameters.flat()) this.modes[final === 'h' ? 'add' : 'delete'](mode);
        this.#isEntering = final === 'h' && parameters.includes(1_049);
        return false;
      });
    }
    this.#terminal.onScroll(() => {
      // It also tells that it has changed to the other screen.
      if (this.isAlternate && !this.#isEntering) this.faults += 1;
      this.#isEntering = false;
    });
    this.#terminal.onBell(() => (this.faults += 1));
    this.#frame = frameOf(this.#terminal);
    const full = {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm-256color',
      TZ: 'UTC',
      HOME: this.#directory,
      PROGRAM: [process.execPath, bin, ...words].map(quoted).join(' '),
      DIRECTORY: this.#directory,
      ...env,
    };
    const command = `stty rows ${rows} cols ${columns}; ${SHELL}`;
    this.#process = spawn('script', ['-qfec', command, '/dev/null'], { env: full });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#terminal.write(chunk, () => this.#look()));
    this.#terminal.onData((answer) => this.#process.stdin.write(answer));
    this.#exited = new Promise((resolve) => {
      this.#process.once('close', (code) => resolve(code));
    });
    void this.#exited.then(() => this.#look());
  }

  /** The lines of the last whole frame, without the spaces at their ends. */
  screen(): readonly string[] {
    return this.#frame.lines;
  }

  /** The alternate screen is on, as programs use it that take the whole terminal. */
  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  /** Whether a line was wider than the terminal, so that it runs on in the next row. */
  get isWrapped(): boolean {
    return this.#frame.isWrapped;
  }

  /** Whether something on the screen has a colour. */
  get isColoured(): boolean {
    return this.#frame.isColoured;
  }

  /** Of the program, not of the shell around it. */
  get pid(): number {
    return Number(this.#read('pid'));
  }

  /** Resolves with the screen as soon as it shows the text, or all that is asked for. @throws with the screen it has instead */
  async waitFor(wanted: string | RegExp | ((screen: readonly string[]) => boolean)): Promise<readonly string[]> {
    const holds = (): boolean => {
      if (typeof wanted === 'function') return wanted(this.screen());
      const text = this.screen().join('\n');
      return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
    };
    const met = Promise.withResolvers<void>();
    const look = (): void => {
      if (holds()) met.resolve();
    };
    const timer = setTimeout(() => {
      met.reject(new Error(`not within ${PATIENCE_MS} ms: ${String(wanted)}, but\n${this.screen().join('\n')}`));
    }, PATIENCE_MS);
    this.#watchers.add(look);
    look();
    try {
      await met.promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
    return this.screen();
  }

  /** Resolves when the program reads each key as it is pressed (raw mode); before, Ctrl-C is a signal. */
  async listens(): Promise<void> {
    const tty = this.#read('tty');
    const before = this.#read('before');
    await until('the program listens to keys', () => {
      const now = spawnSync('stty', ['-F', tty, '-g'], { encoding: 'utf8' }).stdout.trim();
      return now !== '' && now !== before;
    });
  }

  /** As typed: `\r` is Enter, `\u0003` Ctrl-C, `\u001b[A` the arrow up. */
  press(keys: string): void {
    this.#process.stdin.write(keys);
  }

  /** As when a window is made smaller or larger: the kernel tells the program. */
  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#look();
    spawnSync('stty', ['-F', this.#read('tty'), 'rows', String(rows), 'cols', String(columns)]);
  }

  /** To the program. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  /** The window is closed: the terminal is gone, and the program is told. Answers the id it had. */
  close(): number {
    const { pid } = this;
    this.#process.kill('SIGKILL');
    return pid;
  }

  /** Waits for the end of the program. */
  async end(): Promise<TerminalEnd> {
    const exitCode = await this.#exited;
    const settings = { before: this.#read('before'), after: this.#read('after') };
    return { exitCode, settings };
  }

  async dispose(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
    this.#terminal.dispose();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #read(name: string): string {
    return readFileSync(join(this.#directory, name), 'utf8').trim();
  }

  #look(): void {
    if (this.modes.has(IN_A_FRAME)) return;
    this.#frame = frameOf(this.#terminal);
    for (const look of this.#watchers) look();
  }
}

interface Frame {
  readonly lines: readonly string[];
  readonly isWrapped: boolean;
  readonly isColoured: boolean;
}

function frameOf(terminal: InstanceType<typeof headless.Terminal>): Frame {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: terminal.rows }, (_, row) => active.getLine(active.viewportY + row));
  const cells = (line: IBufferLine | undefined) =>
    Array.from({ length: line?.length ?? 0 }, (_, at) => line?.getCell(at));
  return {
    lines: lines.map((line) => line?.translateToString(true, 0, terminal.cols) ?? ''),
    isWrapped: lines.some((line) => line?.isWrapped),
    isColoured: lines.some((line) => cells(line).some((cell) => cell?.isFgDefault() === false)),
  };
}

/** The program's id is that of the shell it takes the place of. */
const SHELL = [
  'cd "$DIRECTORY"; tty > tty; stty -g > before; echo "$ hydrant"',
  `sh -c 'echo $$ > pid; unset PROGRAM DIRECTORY; exec '"$PROGRAM"; code=$?`,
  'stty -g > after; exit $code',
].join('; ');

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
