import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { chapters } from './first-hour-chapters.ts';
import { completionChapters } from './first-hour-completion.ts';
import { openSite } from './first-hour-site.ts';
import type { Seen, Stage } from './first-hour-terminal.ts';

/**
 * `npm run first-hour -- [--columns 80 --rows 24] [--transcript FILE]`: the first hour of a new user, in real terminals
 * of tmux: an empty home, the package as npm installs it, and every command given as it would be. It waits for what is
 * to be seen and ends with 1 where that does not come; the transcript has every screen, to be read by a person.
 */
const { values } = parseArgs({
  options: {
    columns: { type: 'string', default: '80' },
    rows: { type: 'string', default: '24' },
    transcript: { type: 'string' },
  },
});
const root = path.resolve(import.meta.dirname, '..');
const place = mkdtempSync(path.join(tmpdir(), 'hydrant-first-hour-'));
const home = path.join(place, 'home');
const screens: string[] = [];

if (isInstalled('tmux')) {
  await play();
} else {
  process.stdout.write('skipped: tmux is not installed\n');
}

async function play(): Promise<void> {
  prepareHome();
  const site = await openSite();
  const stage: Stage = {
    columns: Number(values.columns),
    rows: Number(values.rows),
    socket: path.join(place, 'tmux'),
    env: environment(),
    cwd: home,
    seen,
  };
  try {
    for (const [title, chapter] of [...chapters, ...completionChapters]) {
      process.stdout.write(`${title}\n`);
      screens.push(`# ${title}`);
      await chapter({ stage, site, home, isInstalled, skip });
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    spawnSync('tmux', ['-S', stage.socket, 'kill-server']);
    await site.close();
    if (values.transcript !== undefined) writeFileSync(values.transcript, `${screens.join('\n\n')}\n`);
    rmSync(place, { recursive: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The package lies there as if it had been downloaded; the prompts tell exit codes; nothing else is there. */
function prepareHome(): void {
  mkdirSync(path.join(home, '.config/fish'), { recursive: true });
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: root, stdio: 'ignore' });
  writeFileSync(path.join(home, '.bashrc'), "PS1='[$?] $ '\n");
  writeFileSync(path.join(home, '.zshrc'), "PROMPT='[%?] $ '\nunsetopt prompt_sp\n");
  writeFileSync(
    path.join(home, '.config/fish/config.fish'),
    "set fish_greeting\nfunction fish_prompt; printf '[%d] $ ' $status; end\n",
  );
}

/** A login's, and npm's cache of whoever runs this, so that packages come from there where they can. */
function environment(): Record<string, string> {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const inherited = (process.env['PATH'] ?? '').split(path.delimiter).filter((part) => !part.includes('node_modules'));
  return {
    HOME: home,
    LANG: 'C.UTF-8',
    PATH: [path.join(home, '.local/bin'), path.dirname(process.execPath), ...inherited].join(path.delimiter),
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    TZ: 'UTC',
    npm_config_cache: cache.trim(),
    npm_config_prefix: path.join(home, '.local'),
    npm_config_prefer_offline: 'true',
  };
}

function isInstalled(program: string): boolean {
  return spawnSync(program, [program === 'tmux' ? '-V' : '--version'], { stdio: 'ignore' }).error === undefined;
}

function seen({ terminal, what, screen }: Seen): void {
  const framed = screen.split('\n').map((line) => `| ${line}`);
  screens.push([`## ${terminal}: ${what}`, ...framed].join('\n'));
}

function skip(what: string): void {
  screens.push(`skipped: ${what}`);
  process.stdout.write(`  skipped: ${what}\n`);
}
