import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { send } from '../../client/transport.ts';
import { count } from '../../../shared/text/plural.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { duration } from '../../text/time.ts';
import { sinksLine, unhealthySinkLine } from '../../text/sink-health.ts';
import { failingLines, movedLine, unhealthyLines } from '../../text/unhealthy-hosts.ts';
import { type Check, fail, type Finding, ok, type Patient, warn } from './finding.ts';

/** The daemon's doors, and its way out. */
export const networkChecks: Readonly<Record<string, Check>> = {
  daemon: async (patient) => daemon(patient),
  socket: async (patient) => socket(patient),
  port: async (patient) => port(patient),
  contact: async (patient) => contact(patient),
  hosts: async (patient) => hosts(patient),
  sinks: async (patient) => sinks(patient),
  dns: async (patient) => dns(patient),
  web: async (patient) => web(patient),
};

async function daemon({ notice, status, now }: Patient): Promise<Finding[]> {
  if (status !== undefined) {
    const since = duration(now - Date.parse(status.started_at));
    return [ok('daemon', `pid ${status.pid}, up ${since}, at ${status.url}`)];
  }
  if (notice === undefined)
    return [warn('daemon', 'none is running here', 'hydrant serve, or hydrant service install')];
  const fix = 'check its log, then start it again: hydrant serve';
  return [fail('daemon', `it should be running (pid ${notice.pid}), but does not answer`, fix)];
}

async function socket({ notice }: Patient): Promise<Finding[]> {
  const found = notice && (await stat(notice.socket).catch(() => undefined));
  if (notice === undefined || found === undefined || process.platform === 'win32') return [];
  if ((found.mode & 0o077) === 0) return [ok('socket', notice.socket)];
  const says = `other users can open ${notice.socket} and so have full control of the daemon`;
  return [fail('socket', says, `chmod 600 ${notice.socket}`)];
}

/** Where the daemon listens; where there is none, whether one could. */
async function port({ status, settings }: Patient): Promise<Finding[]> {
  if (status !== undefined) return answering(status.url);
  if (settings instanceof Error) return [];
  const { listen, port: wanted } = settings;
  const code = await listening(listen, wanted);
  if (code === undefined) return [ok('port', `${wanted} on ${listen} is free`)];
  if (code === 'EADDRINUSE') {
    const fix = 'stop what uses it (ss -ltnp), or choose another with --port';
    return [fail('port', `${wanted} on ${listen} is in use by another program`, fix)];
  }
  return [fail('port', `cannot listen on ${listen}:${wanted} (${code})`, 'choose others with --listen and --port')];
}

async function answering(url: string): Promise<Finding[]> {
  try {
    const answer = await send({ kind: 'url', url }, { method: 'GET', path: '/openapi.json' });
    answer.body.destroy();
    return [ok('port', `${url} answers`)];
  } catch (error) {
    // A certificate is made out to a name, and this is an address.
    if (url.startsWith('https:')) return [ok('port', `${url} listens`)];
    const what = error instanceof Error ? error.message : String(error);
    return [fail('port', what, 'a firewall on this machine may block it')];
  }
}

/** The code of the refusal; undefined when it would do. */
function listening(host: string, number: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(number, host, () => server.close(() => resolve(undefined)));
  });
}

async function contact({ status, settings }: Patient): Promise<Finding[]> {
  const agent = status?.user_agent;
  const isKnown = agent !== undefined || !(settings instanceof Error);
  if (!isKnown) return [];
  const set = agent === undefined ? !(settings instanceof Error) && settings.crawlContact !== '' : agent.includes('(+');
  if (set) return [ok('contact', agent ?? 'set')];
  const fix =
    'give hydrant serve --crawl-contact (crawlContact in the config file) a URL or mail address: site owners block crawlers whose operator they cannot reach';
  return [warn('contact', 'the crawl sends no contact address', fix)];
}

/** What the daemon knows of the hosts that it asks, and of its own way out. */
async function hosts({ status, now }: Patient): Promise<Finding[]> {
  const { network_doubted_since: since = null, unhealthy = [], failing = [], moved = [] } = status?.crawl ?? {};
  if (status === undefined) return [];
  if (since !== null) {
    const says = `no host has answered since ${since}`;
    return [fail('network', says, 'check the network of this machine; meanwhile, failures do not count against hosts')];
  }
  const silent = new Set(unhealthy.map(({ host }) => host));
  const elsewhere = movedLine(moved);
  const pages = [
    ...failingLines(failing.filter(({ url }) => !silent.has(hostOf(url)))).map((line) =>
      warn('pages', line, PAGES_FIX),
    ),
    ...(elsewhere === undefined ? [] : [warn('pages', `moved permanently: ${elsewhere}`, MOVED_FIX)]),
  ];
  if (unhealthy.length === 0) return [ok('hosts', 'all visited hosts answer'), ...pages];
  const fix = 'each is retried less and less often: see hydrant crawl why URL; remove those that are gone permanently';
  return [...unhealthyLines(unhealthy, now).map((line) => warn('hosts', line, fix)), ...pages];
}

/** One that fails for a while may come back; a dead one is a message that nobody gets. */
function sinks({ status, now }: Patient): Finding[] {
  const known = status?.sinks;
  if (known === undefined || known.sinks === 0) return [];
  const { unhealthy, parked } = known;
  const findings = unhealthy.map((sink) => {
    const [says, name] = [unhealthySinkLine(sink, now), quoted(sink.name)];
    const test = `hydrant notify test ${name}`;
    if (sink.state === 'failing') return warn('sinks', says, `it is tried again; try it now with: ${test}`);
    const back = sink.state === 'dead' ? test : `hydrant notify resume ${name}`;
    return fail('sinks', says, `correct it (hydrant notify edit ${name} --help), then: ${back}`);
  });
  const kept = 'look why with hydrant notify log NAME --parked, and send them with hydrant notify replay NAME --parked';
  if (parked > 0) findings.push(warn('sinks', `${count(parked, 'message')} were refused and are kept aside`, kept));
  return findings.length > 0 ? findings : [ok('sinks', sinksLine(known) ?? '')];
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

const PAGES_FIX =
  'their hosts answer, but not with a page: see hydrant crawl why URL; remove those that are gone permanently';

const MOVED_FIX =
  'each visit costs a redirect, and the page is lost when the redirect ends: hydrant crawl add the new URL, then hydrant crawl remove the old one';

async function dns({ online }: Patient): Promise<Finding[]> {
  const servers = getServers();
  if (servers.length === 0) return [fail('dns', 'there is no name server', 'check /etc/resolv.conf')];
  if (online === undefined) return [ok('dns', `asks ${servers.slice(0, 3).join(', ')}`)];
  const { hostname } = new URL(online);
  try {
    const found = await lookup(hostname, { all: true });
    return [
      ok(
        'dns',
        `${hostname} is ${found
          .map(({ address }) => address)
          .slice(0, 2)
          .join(', ')}`,
      ),
    ];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return [
      fail(
        'dns',
        `${hostname} is not found (${code})`,
        `check /etc/resolv.conf; name servers asked: ${servers.join(', ')}`,
      ),
    ];
  }
}

/** Seconds by which the clock may differ from that of a site. */
const CLOCK_SECONDS = 60;

async function web({ online, now }: Patient): Promise<Finding[]> {
  if (online === undefined) return [];
  const { origin, pathname, search } = new URL(online);
  try {
    const answer = await send({ kind: 'url', url: origin }, { method: 'GET', path: `${pathname}${search}` });
    answer.body.destroy();
    const findings = [ok('web', `${online} answers ${answer.status}`)];
    const off = Math.round((Date.parse(answer.headers['date'] ?? '') - now) / 1_000);
    if (!(Math.abs(off) > CLOCK_SECONDS)) return findings;
    const fix = 'set the clock and keep it synchronized: timedatectl set-ntp true';
    return [...findings, fail('web clock', `differs by ${off} s from that of ${new URL(online).host}`, fix)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return [
      fail(
        'web',
        `${online} cannot be reached: ${cause}`,
        'check for a firewall, or set the proxy that this network needs: --crawl-proxy',
      ),
    ];
  }
}
