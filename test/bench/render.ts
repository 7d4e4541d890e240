import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressGuard } from '../../src/daemon/fetch/address-guard.ts';
import { guardedConnector } from '../../src/daemon/fetch/connector.ts';
import { findBrowser } from '../../src/daemon/render/chromium.ts';
import { processesOf } from '../../src/daemon/render/memory-watch.ts';
import { Renderer } from '../../src/daemon/render/renderer.ts';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { ownCpuMs, processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median } from './statistics.ts';

const FORMS = {
  whole: { pages: 20, settleMs: 30_000, measuredMs: 60_000 },
  short: { pages: 2, settleMs: 500, measuredMs: 500 },
};

/**
 * What a rendered page costs: the first one, with the start of the browser, and those after it; a shell of React with one call of
 * an API, on loopback. `size` is the number of pages. And what an idle daemon costs that could render, beside one that could not.
 */
export async function render({ isShort, size }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const browser = await findBrowser('');
  if (browser === undefined) return { notes: ['Chromium is not installed: nothing was measured'], figures: [] };
  const pages = await rendering(size ?? form.pages);
  const able = await idle(['--render-browser', browser], form);
  const unable = await idle([], form);
  const idling = (name: string, key: keyof Idle, unit: string): Figure => ({
    name: `an idle daemon that could render, ${name}`,
    value: able[key],
    unit,
    baseline: unable[key],
    against: 'without the setting',
  });
  return {
    notes: [`${size ?? form.pages} pages, one after the other`],
    figures: [...pages, idling('resident', 'mb', 'MB'), idling('processor time a minute', 'cpuMs', 'ms')],
  };
}

async function rendering(count: number): Promise<Figure[]> {
  const script = readFileSync(path.join(import.meta.dirname, '../fixtures/frameworks/react.js'));
  const server = createServer((request, response) => {
    const send = (type: string, body: string | Buffer): void =>
      void response.writeHead(200, { 'content-type': type }).end(body);
    if (request.url === '/app.js') send('text/javascript', script);
    else if (request.url === '/items.json') send('application/json', '[{"name":"Tea","price":3}]');
    else send('text/html', '<!doctype html><title>Shop</title><div id="root"></div><script src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.90', resolve));
  const url = `http://127.0.0.90:${(server.address() as AddressInfo).port}/`;
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.0/8'] });
  const renderer = new Renderer({
    outside: { now: () => Date.now() },
    guard,
    connect: () => guardedConnector(guard, () => Promise.resolve([])),
    userAgent: 'hydrant',
    browser: '',
    endpoint: '',
    proxyHost: '127.0.0.1',
    hasSandbox: true,
    pages: 1,
    onError: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const mayFollow = () => Promise.resolve(undefined);
  const one = async (): Promise<Cost> => {
    const [began, own, theirs] = [performance.now(), ownCpuMs(), await browserCpuMs(renderer)];
    const order = { url, withinMs: 60_000, mayFollow, mayLoad: () => Promise.resolve(0) };
    const found = await renderer.render(order, new AbortController().signal);
    if (found.outcome !== 'fetched') throw new Error(JSON.stringify(found));
    return { ms: performance.now() - began, own: ownCpuMs() - own, theirs: (await browserCpuMs(renderer)) - theirs };
  };
  try {
    const cold = await one();
    const idleMb = await browserMb(renderer);
    const warm: Cost[] = [];
    while (warm.length < count) warm.push(await one());
    const usual = (key: keyof Cost): number => median(warm.map((cost) => cost[key]));
    return [
      { name: 'the first page, with the start of the browser', value: cold.ms, unit: 'ms' },
      { name: 'the first page: processor time of the browser', value: cold.theirs, unit: 'ms' },
      { name: 'a page after it', value: usual('ms'), unit: 'ms' },
      { name: 'a page after it: processor time of the browser', value: usual('theirs'), unit: 'ms' },
      { name: 'a page after it: processor time of the daemon', value: usual('own'), unit: 'ms' },
      { name: 'the browser after its first page', value: idleMb, unit: 'MB' },
      { name: `the browser after ${count} more`, value: await browserMb(renderer), unit: 'MB' },
    ];
  } finally {
    await renderer.close();
    server.close();
  }
}

interface Cost {
  readonly ms: number;
  readonly own: number;
  readonly theirs: number;
}

/** Of the processes that there are: those of pages that are over have gone with their time, so this is the least. */
async function browserCpuMs(renderer: Renderer): Promise<number> {
  const group = await renderer.processGroup();
  if (group === undefined) return 0;
  return (await processesOf(group)).reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
}

function cpuMsOf(pid: number): number {
  try {
    return processFigures(pid).cpuMs;
  } catch {
    return 0;
  }
}

/** What its processes hold, each page of memory divided by the processes that share it (PSS). */
async function browserMb(renderer: Renderer): Promise<number> {
  const group = await renderer.processGroup();
  const processes = group === undefined ? [] : await processesOf(group);
  return processes.reduce((sum, { pid }) => sum + proportionalMb(pid), 0);
}

function proportionalMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    return (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    return 0;
  }
}

interface Idle {
  readonly mb: number;
  readonly cpuMs: number;
}

async function idle(flags: readonly string[], { settleMs, measuredMs }: (typeof FORMS)['whole']): Promise<Idle> {
  const daemon = await RealDaemon.start(['--log-level', 'warn', ...flags]);
  try {
    await sleep(settleMs);
    const before = processFigures(daemon.pid);
    await sleep(measuredMs);
    const after = processFigures(daemon.pid);
    return { mb: after.rssMb, cpuMs: ((after.cpuMs - before.cpuMs) * 60_000) / measuredMs };
  } finally {
    await daemon.dispose();
  }
}
