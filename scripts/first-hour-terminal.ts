import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** Every shell is given this prompt: it tells how the command before it ended. */
const PROMPT = /^\[(\d+)\] \$ ?/;
const PATIENCE_MS = 60_000;
const TRIES = 10;

/** What was on a screen, and of whom: a line of the transcript. */
export interface Seen {
  readonly terminal: string;
  readonly what: string;
  readonly screen: string;
}

export interface Stage {
  readonly columns: number;
  readonly rows: number;
  /** Of tmux; a server of our own stands behind it. */
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly seen: (seen: Seen) => void;
}

/** One terminal with a shell in it, as a user has it before them: keys go in, a screen is read. */
export class Terminal {
  readonly #name: string;
  readonly #stage: Stage;

  private constructor(name: string, stage: Stage) {
    this.#name = name;
    this.#stage = stage;
  }

  /** @throws Error when tmux is not installed, or the shell does not come up */
  static async open(name: string, shell: string, stage: Stage): Promise<Terminal> {
    const size = ['-x', String(stage.columns), '-y', String(stage.rows)];
    const server = ['-S', stage.socket, '-f', '/dev/null'];
    await execute('tmux', [...server, 'new-session', '-d', '-s', name, ...size, '-c', stage.cwd, shell], {
      env: { ...stage.env },
    });
    const terminal = new Terminal(name, stage);
    await terminal.#tmux('set-option', '-g', 'status', 'off');
    await terminal.until(/^\[\d+\] \$/m);
    return terminal;
  }

  /** The terminal of that name, which was opened before. */
  static attach(name: string, stage: Stage): Terminal {
    return new Terminal(name, stage);
  }

  /** Gives a command and waits for its end; what it printed, with what has left the screen. */
  async run(command: string, shows: RegExp = /(?:)/, ends = 0): Promise<string> {
    await this.begin(command);
    const screen = await this.#poll(`the end of ${command}`, (text) => isAtPrompt(text));
    const status = PROMPT.exec(lastLine(screen))?.[1];
    await this.note(command);
    if (status !== String(ends)) throw new Error(`${command} ended with ${status}, not ${ends}:\n${screen}`);
    if (!shows.test(screen)) throw new Error(`${command} does not show ${shows}:\n${screen}`);
    return screen;
  }

  /** Gives a command on a fresh screen and waits for nothing. */
  async begin(command: string): Promise<void> {
    for (let tries = 1; !(await this.#isFresh()); tries += 1) {
      if (tries === TRIES) throw new Error(`no fresh prompt on the screen of ${this.#name}`);
    }
    await this.type(command);
    await this.press('Enter');
  }

  /** What a shell had still to say may come after its screen was wiped. */
  async #isFresh(): Promise<boolean> {
    await this.#tmux('send-keys', '-t', this.#name, '-R');
    await this.#tmux('clear-history', '-t', this.#name);
    await this.press('C-l');
    return (await this.#seen((text) => /^\[\d+\] \$$/.test(text.trim()), 2_000)) !== undefined;
  }

  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-t', this.#name, '-l', text);
  }

  /** Keys by the names that tmux has for them: `Enter`, `C-c`, `Tab`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', '-t', this.#name, ...keys);
  }

  /** Waits for something to stand on the screen, lines as they were written, not as they are wrapped. */
  async until(shows: RegExp, note?: string): Promise<string> {
    const screen = await this.#poll(String(shows), (text) => shows.test(text));
    if (note !== undefined) await this.note(note);
    return screen;
  }

  /** Waits for the prompt of a command that was begun, and for its exit code. */
  async ended(ends: number, note: string): Promise<string> {
    const screen = await this.#poll(`the end of ${note}`, (text) => isAtPrompt(text));
    await this.note(note);
    const status = PROMPT.exec(lastLine(screen))?.[1];
    if (status !== String(ends)) throw new Error(`${note}: ended with ${status}, not ${ends}:\n${screen}`);
    return screen;
  }

  /** Writes the screen, wrapped as it is, into the transcript. */
  async note(what: string): Promise<void> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-S', '-', '-t', this.#name);
    this.#stage.seen({ terminal: this.#name, what, screen: stdout.trimEnd() });
  }

  /** With it goes the server, if this was the last terminal. */
  async close(): Promise<void> {
    await this.#tmux('kill-session', '-t', this.#name);
  }

  async #poll(what: string, holds: (text: string) => boolean): Promise<string> {
    const text = await this.#seen(holds, PATIENCE_MS);
    if (text !== undefined) return text;
    throw new Error(`not on the screen of ${this.#name} within 60 s: ${what}\n${await this.#text()}`);
  }

  async #seen(holds: (text: string) => boolean, withinMs: number): Promise<string | undefined> {
    for (const end = Date.now() + withinMs; ; await sleep(50)) {
      const text = await this.#text();
      if (holds(text)) return text;
      if (Date.now() > end) return undefined;
    }
  }

  /** Lines as they were written. */
  async #text(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-J', '-S', '-', '-t', this.#name);
    return stdout.trimEnd();
  }

  async #tmux(...words: readonly string[]): Promise<{ readonly stdout: string }> {
    return execute('tmux', ['-S', this.#stage.socket, ...words]);
  }
}

/** The command is over when a prompt stands below the one that it was given at. */
function isAtPrompt(text: string): boolean {
  const prompts = text.split('\n').filter((line) => PROMPT.test(line));
  return prompts.length > 1 && lastLine(text).replace(PROMPT, '') === '' && PROMPT.test(lastLine(text));
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}
