import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressGuard } from '../../src/daemon/fetch/address-guard.ts';
import { guardedConnector } from '../../src/daemon/fetch/connector.ts';
import { findBrowser } from '../../src/daemon/render/chromium.ts';
import { Renderer } from '../../src/daemon/render/renderer.ts';

/**
 * Run in a network namespace of its own: a site that a page may come from (127.0.0.2, `site.test`), and on every private address
 * a canary that hears of each request and each packet. Prints what they have heard while the attack page was
 *
 * - `alone`: in a browser without anything of ours, as the control;
 * - `proxy`: rendered, with a gate that lets everything through, so that the proxy has to hold alone;
 * - `all`: rendered as the daemon does it.
 */
const [, , mode = 'all'] = process.argv;
const hits: string[] = [];

async function canary(host: string, port: number): Promise<void> {
  const name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const server = createServer((request, response) => {
    hits.push(`${name} ${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/html' }).end('SECRET-CANARY');
  });
  server.on('connection', () => hits.push(`${name} connection`));
  server.on('upgrade', (_, socket) => socket.destroy());
  await once(server.listen(port, host), 'listening');
}

async function packetCanary(host: string, port: number, name: string): Promise<void> {
  const socket = dgram.createSocket('udp4');
  socket.on('message', () => hits.push(`${name} packet`));
  socket.bind(port, host);
  await once(socket, 'listening');
}

const TARGETS = [
  'http://127.0.0.1:8090',
  'http://localhost:8090',
  'http://[::1]:8090',
  'http://[::ffff:127.0.0.1]:8090',
  'http://0x7f.1:8090',
  'http://2130706433:8090',
  'http://0:8090',
  'http://127.1:8090',
  'http://169.254.169.254',
  'http://192.168.77.1',
  'http://evil.test:8090',
  'http://rebind.test:8090',
  'https://127.0.0.1:8090',
  'file:///etc/passwd',
  'chrome://version',
  'view-source:http://127.0.0.1:8090',
];

/** Everything that an element, a header of the document or a script can be made to ask for. */
const each = (make: (target: string, index: number) => string): string => TARGETS.map(make).join('\n');
const ATTACK = `<!doctype html><title>Attack</title><p id="log"></p>
${each(
  (url) => `<img src="${url}/img"><iframe src="${url}/frame"></iframe><script src="${url}/s.js"></script>
<link rel="stylesheet" href="${url}/c.css"><link rel="prefetch" href="${url}/prefetch"><link rel="preconnect" href="${url}">
<link rel="dns-prefetch" href="${url}"><link rel="modulepreload" href="${url}/m.js"><link rel="manifest" href="${url}/m.json">
<link rel="icon" href="${url}/icon"><object data="${url}/object"></object><embed src="${url}/embed"><video src="${url}/video"></video>
<a ping="${url}/ping" href="/ok" class="ping">x</a><form method="post" action="${url}/form" target="_blank"></form>`,
)}
<img src="/to/http://127.0.0.1:8090/"><iframe src="/to/http://169.254.169.254/"></iframe>
<script type="speculationrules">{"prerender":[{"urls":${JSON.stringify(TARGETS)}}],"prefetch":[{"urls":${JSON.stringify(TARGETS)}}]}</script>
<script>
const said = [];
const note = (promise) => Promise.resolve(promise).then((text) => { said.push(String(text)); log.textContent = said.join(' '); }, () => 0);
const tried = (run) => { try { return run(); } catch { return undefined; } };
for (const url of ${JSON.stringify(TARGETS)}) {
  for (const mode of ['cors', 'no-cors']) tried(() => note(fetch(url + '/fetch', { mode }).then((r) => r.text())));
  tried(() => note(fetch('/to/' + url + '/', { mode: 'no-cors' }).then((r) => r.text())));
  tried(() => { const x = new XMLHttpRequest(); x.open('POST', url + '/xhr'); x.onload = () => note(x.responseText); x.send('x'); });
  tried(() => new WebSocket(url.replace('http', 'ws') + '/ws'));
  tried(() => new EventSource(url + '/events'));
  tried(() => navigator.sendBeacon(url + '/beacon', 'x'));
  tried(() => new WebTransport(url.replace('http:', 'https:') + '/wt'));
  tried(() => open(url + '/popup'));
  const code = "const f=" + JSON.stringify(url) + ";fetch(f+'/worker',{mode:'no-cors'});try{new WebSocket(f.replace('http','ws')+'/worker')}catch{};importScripts(f+'/import.js')";
  tried(() => new Worker(URL.createObjectURL(new Blob([code]))));
  tried(() => new SharedWorker(URL.createObjectURL(new Blob([code])), url));
}
tried(() => navigator.serviceWorker.register('/sw.js'));
tried(() => {
  const urls = ['stun:127.0.0.1:3478', 'stun:192.168.77.1:3478', 'turn:192.168.77.1:3478'];
  const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'p' }] });
  peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
});
for (const form of document.forms) tried(() => form.submit());
for (const link of document.querySelectorAll('.ping')) tried(() => link.click());
setTimeout(() => tried(() => { location.href = 'http://127.0.0.1:8090/navigated'; }), 4000);
</script>`;

const PATHS = ['/attack', '/to/http://127.0.0.1:8090/', '/to/http://169.254.169.254/latest/', '/to/file:///etc/passwd'];

const site = createServer((request, response) => {
  const path = request.url ?? '';
  if (path.startsWith('/to/')) response.writeHead(302, { location: path.slice('/to/'.length) }).end();
  else if (path === '/sw.js')
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end("fetch('http://127.0.0.1:8090/service-worker', { mode: 'no-cors' })");
  else response.writeHead(200, { 'content-type': 'text/html' }).end(path === '/attack' ? ATTACK : '<p>ok');
});

let asked = 0;
async function resolve(name: string): Promise<readonly { address: string; family: number }[]> {
  const known: Record<string, string> = { 'site.test': '127.0.0.2', 'evil.test': '127.0.0.1', localhost: '127.0.0.1' };
  // Harmless when it is asked for first.
  if (name === 'rebind.test') known[name] = (asked += 1) === 1 ? '127.0.0.2' : '127.0.0.1';
  const address = known[name];
  if (address === undefined) throw Object.assign(new Error(`no address for ${name}`), { code: 'ENOTFOUND' });
  return [{ address, family: 4 }];
}

/** The document as the browser alone has it after a while. */
async function alone(url: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'hydrant-attack-'));
  chownSync(profile, 65_534, 65_534);
  const browser = (await findBrowser('')) ?? '';
  const names = 'MAP site.test 127.0.0.2, MAP evil.test 127.0.0.1, MAP rebind.test 127.0.0.1';
  const flags = [
    '--headless=new',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    `--user-data-dir=${profile}`,
  ];
  const more = [
    `--host-resolver-rules=${names}`,
    '--timeout=12000',
    '--disable-popup-blocking',
    '--disable-web-security',
  ];
  const child = spawn(browser, [...flags, ...more, '--dump-dom', url], {
    uid: 65_534,
    gid: 65_534,
    detached: true,
    env: { HOME: profile, PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 60_000);
  await once(child, 'exit');
  clearTimeout(late);
  rmSync(profile, { recursive: true, force: true });
  return text;
}

function renderer(): Renderer {
  const guard = new AddressGuard({ allowPrivate: ['127.0.0.2/32'] });
  const blind = { check: () => ({ allowed: true, opened: true }) as const, opensNetworks: true };
  return new Renderer({
    outside: { now: () => Date.now() },
    guard: mode === 'proxy' ? blind : guard,
    connect: () => guardedConnector(guard, resolve),
    userAgent: 'hydrant',
    browser: '',
    endpoint: '',
    proxyHost: '127.0.0.1',
    hasSandbox: true,
    pages: 1,
    onError: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
  });
}

await Promise.all([
  ...[8_090, 80].map((port) => canary('127.0.0.1', port)),
  ...[8_090].map((port) => canary('::1', port)),
  ...['169.254.169.254', '192.168.77.1'].map((host) => canary(host, 80)),
  ...['127.0.0.1', '192.168.77.1'].map((host) => packetCanary(host, 3_478, `${host} stun`)),
  packetCanary('192.168.77.1', 443, 'quic'),
  packetCanary('10.255.255.53', 53, 'dns'),
]);
await once(site.listen(8_080, '127.0.0.2'), 'listening');

const urls = PATHS.map((path) => `http://site.test:8080${path}`);
// Each takes its whole time, and mostly waits.
let text = mode === 'alone' ? (await Promise.all(urls.map(alone))).join('') : '';
const rendering = renderer();
for (const url of mode === 'alone' ? [] : urls) {
  const mayFollow = () => Promise.resolve(undefined);
  const order = { url, withinMs: 10_000, mayFollow, mayLoad: () => Promise.resolve(0) };
  const found = await rendering.render(order, new AbortController().signal);
  if (found.outcome === 'fetched') text += Buffer.from(found.bytes).toString();
}
await rendering.close();
process.stdout.write(JSON.stringify({ hits, read: /SECRET-CANARY|root:x:0/.test(text) }));
process.exit(0);
