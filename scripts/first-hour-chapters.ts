import path from 'node:path';
import type { HandSite } from './first-hour-site.ts';
import { type Stage, Terminal } from './first-hour-terminal.ts';

/** What a chapter finds before it. */
export interface Scene {
  readonly stage: Stage;
  readonly site: HandSite;
  readonly home: string;
  readonly isInstalled: (program: string) => boolean;
  /** Says that a part is left out, and why. */
  readonly skip: (what: string) => void;
}

export type Chapter = readonly [title: string, play: (scene: Scene) => Promise<void>];

const BASH = 'bash --noprofile';

/** In order; each goes on where the one before has ended. The daemon runs in a terminal of its own meanwhile. */
export const chapters: readonly Chapter[] = [
  ['install', install],
  ['look around', lookAround],
  ['demo', demo],
  ['the daemon, and a source', source],
  ['a rule that is refused', rule],
  ['the first match', match],
  ['a watch and its change', watch],
  ['digest', digest],
  ['backup, and restore elsewhere', backup],
  ['what is wrong, and the manual', help],
  ['the daemon stops', stop],
];

/** Opens a terminal for a chapter and closes it after it. */
export async function inTerminal(
  { stage }: Scene,
  name: string,
  play: (terminal: Terminal) => Promise<void>,
  shell = BASH,
): Promise<void> {
  const terminal = await Terminal.open(name, shell, stage);
  await play(terminal);
  await terminal.close();
}

async function install(scene: Scene): Promise<void> {
  // It stays open to the end, so that the server of tmux does.
  const shell = await Terminal.open('daemon', BASH, scene.stage);
  await shell.run('npm install --global hydrant-*.tgz', /added \d+ packages/);
  await shell.run('hydrant --version', /^\d+\.\d+\.\d+$/m);
}

async function lookAround(scene: Scene): Promise<void> {
  await inTerminal(scene, 'work', async (work) => {
    await work.run('hydrant', /hydrant demo/);
    await work.run('hydrant --help', /Usage: hydrant/);
    await work.run('hydrant tial', /tail/, 2);
    await work.run('hydrant status', /hydrant serve/, 3);
    await work.run('hydrant tap create news', /hydrant serve/, 3);
  });
}

async function demo(scene: Scene): Promise<void> {
  await inTerminal(scene, 'demo', async (shell) => {
    await shell.begin('hydrant demo --seed 7');
    await shell.until(/rules 5 · matches [1-9]/, 'hydrant demo');
    await shell.until(/^ rule {2}/m, 'a match opened');
    await shell.press('Escape');
    await shell.until(/↵ details|↵ read/);
    await shell.press('q');
    await shell.ended(0, 'demo after q');
    await shell.begin('hydrant demo --plain');
    await shell.until(/\+ /, 'hydrant demo --plain');
    await shell.press('C-c');
    await shell.ended(130, 'demo after Ctrl-C');
  });
}

async function source(scene: Scene): Promise<void> {
  const daemon = Terminal.attach('daemon', scene.stage);
  await daemon.begin('hydrant serve --allow-private 127.0.0.0/8 --port 0');
  await daemon.until(/listens on/, 'hydrant serve');
  await inTerminal(scene, 'work', async (work) => {
    await work.run('hydrant status', /running|uptime|up /i);
    await work.run(`hydrant crawl add ${scene.site.base}/ --scope host --every 5s`);
    await work.begin('hydrant crawl status');
    await work.until(/2 changed/, 'hydrant crawl status');
    await work.press('q');
    await work.ended(0, 'crawl status after q');
    await work.run('hydrant crawl list', /host/);
    await work.run(`hydrant crawl why ${scene.site.base}/ferry`);
  });
}

async function rule(scene: Scene): Promise<void> {
  await inTerminal(scene, 'work', async (work) => {
    await work.run('hydrant tap create news', /news/);
    const refused = await work.run("hydrant rule add news 'titel:ferry AND night'", /Did you mean/, 1);
    const meant = /Did you mean (\w+)\?/.exec(refused)?.[1] ?? '';
    await work.run(`hydrant rule add news '${meant}:ferry AND (night OR storm)' --tag ferry`, /ferry/);
    await work.run('hydrant rule list', /ferry/);
    await work.run('hydrant rule edit ferry --no-quality');
    await work.run('hydrant rule show ferry', /ferry/);
  });
}

async function match(scene: Scene): Promise<void> {
  await inTerminal(scene, 'tail', async (tail) => {
    await tail.begin('hydrant tail news');
    await tail.until(/ live *$/m, 'hydrant tail, and nothing yet');
    scene.site.change('/ferry');
    await tail.until(/matches 1/, 'the first match');
    await tail.press('Enter');
    await tail.until(/^ rule {2}/m, 'opened');
    await tail.press('Escape');
    await tail.until(/↵ details|↵ read/);
    await tail.press('q');
    await tail.ended(0, 'tail after q');
    await tail.run('hydrant tail news --since 1h --once', /night ferry/);
    await tail.run('hydrant tail news --since 1h --limit 1 --json', /"event":"update"/);
    await tail.begin('hydrant tail news --plain');
    await tail.until(/connected/);
    await tail.press('C-c');
    await tail.ended(130, 'tail --plain after Ctrl-C');
    await tail.run('hydrant rule show ferry', /ferry/);
  });
}

async function watch({ site, ...scene }: Scene): Promise<void> {
  const fares = `${site.base}/fares`;
  await inTerminal({ site, ...scene }, 'watch', async (shell) => {
    await shell.run(`hydrant watch try ${fares} --select main`, /Grown-ups/);
    await shell.run(`hydrant watch add ${fares} --select main --every 6h --wait`);
    site.change('/fares');
    await shell.run(`hydrant watch check ${fares} --wait`, /5 euros|changed/, 1);
    await shell.run(`hydrant watch diff ${fares}`, /\+ Grown-ups: 5 euros/);
    await shell.run('hydrant watch list', /http/);
    await shell.run(`hydrant watch log ${fares}`);
    await shell.run(`hydrant watch explain ${fares}`);
    await shell.begin('hydrant watch');
    await shell.until(/fares/, 'hydrant watch');
    await shell.press('Enter');
    await shell.until(/↵ close/, 'a watch opened');
    await shell.press('Escape');
    await shell.until(/↵ details|↵ read/);
    await shell.press('q');
    await shell.ended(0, 'watch after q');
  });
}

async function digest(scene: Scene): Promise<void> {
  await inTerminal(scene, 'work', async (work) => {
    await work.run('hydrant digest', /Ferry to the islands/);
    await work.run('hydrant status');
    await work.run('hydrant export', /taps:/);
  });
}

async function backup({ home, ...scene }: Scene): Promise<void> {
  const elsewhere = path.join(home, 'elsewhere');
  await inTerminal({ home, ...scene }, 'work', async (work) => {
    const here = await work.run('hydrant rule list', /ferry/);
    await work.run('hydrant backup hydrant.tar.zst');
    await work.run('hydrant backup hydrant.tar.zst', /--force/, 2);
    await work.run(`hydrant restore hydrant.tar.zst --data-dir ${elsewhere}`);
    const other = await Terminal.open('other', BASH, scene.stage);
    await other.begin(`hydrant serve --data-dir ${elsewhere} --port 0 --allow-private 127.0.0.0/8`);
    await other.until(/listens on/, 'the other daemon');
    const there = await work.run(`hydrant rule list --data-dir ${elsewhere}`, /ferry/);
    const row = /^[0-9a-f]{8} .*\)/m.exec(here)?.[0] ?? here;
    if (!there.includes(row)) throw new Error(`the restored daemon has other rules:\n${here}\n${there}`);
    await work.run(`hydrant tail news --once --since 1h --data-dir ${elsewhere}`, /night ferry/);
    await work.run(`hydrant watch list --data-dir ${elsewhere}`, /fares/);
    await other.press('C-c');
    await other.ended(0, 'the other daemon after Ctrl-C');
    await other.close();
  });
}

async function help(scene: Scene): Promise<void> {
  await inTerminal(scene, 'work', async (work) => {
    await work.run('hydrant doctor', /ok/);
    await work.run('hydrant help exit-codes', /130/);
    if (!scene.isInstalled('man')) {
      scene.skip('man is not installed');
      return;
    }
    await work.begin('man hydrant');
    await work.until(/HYDRANT\(1\)/, 'man hydrant');
    await work.press('q');
    await work.ended(0, 'man after q');
  });
}

async function stop(scene: Scene): Promise<void> {
  const daemon = Terminal.attach('daemon', scene.stage);
  await inTerminal(scene, 'tail', async (tail) => {
    await tail.begin('hydrant tail news');
    await tail.until(/ live *$/m);
    await daemon.press('C-c');
    await daemon.ended(0, 'the daemon after Ctrl-C');
    await tail.until(/again|connect/i, 'tail without a daemon');
    await daemon.begin('hydrant serve --allow-private 127.0.0.0/8 --port 0');
    await daemon.until(/listens on/, 'hydrant serve, the second time');
    scene.site.change('/ferry');
    await tail.until(/matches 1/, 'tail when the daemon is back');
    await tail.press('C-c');
    await tail.ended(0, 'tail after Ctrl-C');
  });
}
