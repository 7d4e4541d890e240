import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../src/shared/api/crawl.ts';
import type { WatchReport } from '../../src/shared/api/watch.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { hasTerminal, RealTerminal, type TerminalOptions } from './terminal.ts';

/** Pages with titles that a terminal has trouble with; what the first one says is the test's to change. */
const TITLES = [
  'A fox at home',
  '狐狸在图书馆里读书,直到天黑也没有人来打扰它,因为今天是星期天 🦊',
  `A fox ${'and another '.repeat(20)}fox`,
];
let said = 'The fox sleeps in its den.';
let site: Server;
let home: string;
let daemon: RealDaemon;
const open: RealTerminal[] = [];

/** Resolves when the screen shows what it is there for, and listens. */
async function start(
  words: readonly string[],
  shown: string | RegExp,
  options: TerminalOptions = {},
): Promise<RealTerminal> {
  const terminal = RealTerminal.start([...words, '--data-dir', daemon.dataDir], options);
  open.push(terminal);
  await terminal.waitFor(shown);
  await terminal.listens();
  return terminal;
}

beforeAll(async () => {
  site = createServer((request, response) => {
    const page = Number(request.url?.slice(1) ?? 0);
    if (request.url === '/robots.txt' || TITLES[page] === undefined) return response.writeHead(404).end();
    const text = page === 0 ? said : `Of fox number ${page} there is a story too.`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(`<title>${TITLES[page]}</title><main><p>${text}</p><p>A fox lives here.</p></main>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.22', resolve));
  home = `http://127.0.0.22:${(site.address() as AddressInfo).port}/0`;
  daemon = await RealDaemon.start();
  await daemon.hydrant(['tap', 'create', 'fox']);
  await daemon.hydrant(['rule', 'add', 'fox', 'fox OR 狐狸', '--tag', 'animals', '--no-quality']);
  for (const page of TITLES.keys()) {
    await daemon.hydrant(['crawl', 'add', new URL(String(page), home).href, '--scope', 'page', '--every', '1d']);
  }
  await daemon.hydrant(['watch', 'add', home, '--every', '1d']);
  await until('all pages are read', async () => {
    const sources = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    const watches = await daemon.operator<{ data: WatchReport[] }>('GET', '/admin/watches');
    return sources.data.every(({ visits }) => visits > 0) && watches.data.every(({ checks }) => checks > 0);
  });
  said = 'The fox hunts by night.';
  await daemon.hydrant(['watch', 'check', home]);
});

afterEach(async () => {
  for (const terminal of open.splice(0)) await terminal.dispose();
});

afterAll(async () => {
  site?.closeAllConnections();
  site?.close();
  await daemon?.dispose();
});

/** A screen by its command, and what it shows when it is there. */
const SCREENS = [
  ['tail', ['tail', 'fox', '--since', '24h'], 'A fox at home'],
  ['crawl status', ['crawl', 'status'], 'outcomes'],
  ['watch screen', ['watch', 'screen'], '+ The fox hunts by night.'],
] as const;

/** Nothing is left of the screen: the terminal is as before, and the shell's lines are there again. */
async function expectLeft(terminal: RealTerminal, exitCode: number): Promise<void> {
  const end = await terminal.end();
  expect(end.exitCode).toBe(exitCode);
  expect(end.settings.after).toBe(end.settings.before);
  expect([terminal.isAlternate, terminal.modes.has(25)]).toEqual([false, true]);
  expect(terminal.screen()[0]).toBe('$ hydrant');
  expect(terminal.faults).toBe(0);
}

/** From the first row to the one before the last: with something in the last one a terminal scrolls. */
function fits(screen: readonly string[]): boolean {
  return screen[0]?.trimStart().startsWith('hydrant ') === true && screen.at(-1) === '';
}

function expectToFit(terminal: RealTerminal): void {
  expect([terminal.screen()[0], terminal.screen().at(-1)]).toEqual([expect.stringMatching(/^ ?hydrant /), '']);
  expect([terminal.isWrapped, terminal.faults]).toEqual([false, 0]);
}

async function resize(terminal: RealTerminal, columns: number, rows: number, shown: string): Promise<void> {
  terminal.resize(columns, rows);
  await terminal.waitFor((screen) => screen.length === rows && fits(screen) && screen.join('\n').includes(shown));
  // Ink draws the frame of before once more, which scrolls a terminal that has become smaller.
  terminal.faults = 0;
  expectToFit(terminal);
}

describe.skipIf(!hasTerminal)('in a real terminal', () => {
  test('tail shows matches as they come, and hears its keys', async () => {
    const terminal = await start(['tail', 'fox', '--since', '24h'], /live[^]*A fox at home/);
    const first = await terminal.waitFor('matches 3');
    expect(first[0]).toMatch(/^ hydrant tail · fox · /);
    expect(first.at(-2)).toContain('↑↓ move  ↵ details  space pause  q quit');
    expectToFit(terminal);
    expect([terminal.isAlternate, terminal.modes.has(25), terminal.isColoured]).toEqual([true, false, true]);

    terminal.press(' ');
    await terminal.waitFor('paused view (+0 new)');
    await daemon.operator('POST', '/admin/urls/visit', { url: home });
    await terminal.waitFor('paused view (+1 new)');
    terminal.press(' ');
    await terminal.waitFor('matches 4');

    terminal.press('/狐狸');
    await terminal.waitFor((screen) => screen.filter((line) => line.includes('animals')).length === 1);
    expectToFit(terminal);
    terminal.press('\u001b');
    await terminal.waitFor('/ filter');

    terminal.press('\r');
    const details = await terminal.waitFor('rule  animals  fox OR 狐狸');
    expect(details.some((line) => line.trimEnd() === ' + The fox hunts by night.')).toBe(true);
    expect(details.some((line) => line.startsWith('▸'))).toBe(true);

    await resize(terminal, 60, 15, '↵ close');
    await resize(terminal, 120, 40, 'G newest');
    terminal.press('\r');
    await terminal.waitFor(/A fox at home {2,}\+ The fox hunts by night\./);
    terminal.press('q');
    await expectLeft(terminal, 0);
    expect(terminal.screen()[1]).toMatch(/^4 matches in .* · resume: hydrant tail fox --data-dir .* --last-id 0-3/);
  });

  test('crawl status shows the figures, in a terminal of any size', async () => {
    const terminal = await start(['crawl', 'status'], 'q quits');
    const screen = terminal.screen();
    expect(screen[0]).toMatch(/^hydrant crawl · /);
    expect(screen.find((line) => line.startsWith('crawl'))).toContain('3 sources');
    expectToFit(terminal);
    await resize(terminal, 40, 10, '…\n');
    await resize(terminal, 120, 40, 'threads');
    terminal.press('q');
    await expectLeft(terminal, 0);
  });

  test('watch screen shows the change, in full with Enter, and hears its keys', async () => {
    const terminal = await start(['watch', 'screen'], '+ The fox hunts by night.');
    const screen = terminal.screen();
    expect(screen[0]).toContain('1 watch · 1 unseen');
    expectToFit(terminal);
    terminal.press('?');
    await terminal.waitFor('an unseen change');
    terminal.press('?/nothing');
    await terminal.waitFor('no watch has `nothing` in its URL, title or tags');
    terminal.press('\u001b');
    await terminal.waitFor('- The fox sleeps in its den.');
    terminal.press('\r');
    await terminal.waitFor('↑↓ scroll  ↵ close');
    await terminal.waitFor((lines) => lines[0]?.includes('unseen') === false);
    await resize(terminal, 120, 40, 'q quit');
    terminal.press('\r');
    await terminal.waitFor(/▸.*127\.0\.0\.22.*│/);
    expectToFit(terminal);
    terminal.press('q');
    await expectLeft(terminal, 0);
  });
});

describe.skipIf(!hasTerminal).each(SCREENS)('%s gives the terminal back', (_, words, shown) => {
  test('after Ctrl-C', async () => {
    const terminal = await start(words, shown);
    terminal.press('\u0003');
    await expectLeft(terminal, 0);
  });

  test('after SIGTERM, and shows no colour with NO_COLOR', async () => {
    const terminal = await start(words, shown, { env: { NO_COLOR: '1' } });
    expect(terminal.isColoured).toBe(false);
    terminal.signal('SIGTERM');
    await expectLeft(terminal, 143);
  });
});

test.skipIf(!hasTerminal)('screens outlive their daemon, and end with their window', async () => {
  const terminals = await Promise.all(SCREENS.map(([, words, shown]) => start(words, shown)));
  await daemon.kill();
  const [tail, ...others] = terminals;
  await tail?.waitFor(/reconnecting in \d+ s/);
  for (const terminal of others) await terminal.waitFor('not up to date: ');
  for (const terminal of terminals) expectToFit(terminal);
  await daemon.start();
  // When tail tries again is a matter of chance, and of a minute at most (follow.test.ts).
  for (const terminal of others) await terminal.waitFor((screen) => !screen.join('\n').includes('not up to date'));
  const pids = terminals.map((terminal) => terminal.close());
  await until('they are gone', () => pids.every((pid) => !isAlive(pid)));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
