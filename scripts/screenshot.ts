import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launch } from 'puppeteer-core';
import { demoRules } from '../src/cli/commands/demo/demo.ts';
import { startSite } from '../src/cli/commands/demo/site.ts';

/**
 * `npm run screenshot`: the timeline of the web view with matches of the site of `hydrant demo`, as `docs/ui.png`. It needs
 * Debian's `chromium` and a build; times are those of the run, so nothing compares the file.
 */
const root = path.resolve(import.meta.dirname, '..');
const dataDir = mkdtempSync(path.join(tmpdir(), 'hydrant-screenshot-'));
const program = (name: string): string => path.join(root, 'bin', name);

async function hydrant(...words: readonly string[]): Promise<string> {
  const argv = [program('hydrant'), ...words, '--data-dir', dataDir];
  return (await promisify(execFile)(process.execPath, argv)).stdout.trim();
}

/** Undefined while it starts. */
function address(): string | undefined {
  try {
    return (JSON.parse(readFileSync(path.join(dataDir, 'daemon.json'), 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

const site = await startSite({ seed: 7, now: () => Date.now() });
const flags = [
  '--ui',
  '--port',
  '0',
  '--data-dir',
  dataDir,
  '--allow-private',
  '127.0.0.0/8',
  '--crawl-host-delay',
  '0',
];
const daemon = spawn(process.execPath, [program('hydrantd'), ...flags], { stdio: 'ignore' });
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await launch({
  executablePath: '/usr/bin/chromium',
  args: ['--disable-background-networking', ...asRoot],
});
try {
  while (address() === undefined) await sleep(50);
  await hydrant('tap', 'create', 'demo');
  for (const { value, tag, quality } of demoRules) {
    await hydrant('rule', 'add', value, '--tag', tag, ...(quality === false ? ['--no-quality'] : []));
  }
  await hydrant('crawl', 'add', ...site.urls, '--scope', 'page', '--every', '2s');
  const page = await browser.newPage();
  await page.setViewport({ width: 1_000, height: 700 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await page.goto(await hydrant('ui'));
  await Promise.all([page.waitForNavigation(), page.click('button')]);
  await page.waitForFunction("document.querySelectorAll('.match').length >= 6", { timeout: 60_000 });
  await page.reload();
  await page.screenshot({ path: path.join(root, 'docs/ui.png') });
} finally {
  await browser.close();
  daemon.kill();
  await site.close();
  rmSync(dataDir, { recursive: true, force: true });
}
