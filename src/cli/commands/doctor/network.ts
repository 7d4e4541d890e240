import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { send } from '../../client/transport.ts';
import { duration } from '../../text/time.ts';
import { failingLines, movedLine, unhealthyLines } from '../../text/unhealthy-hosts.ts';
import { type Check, fail, type Finding, ok, type Patient, warn } from './finding.ts';

/** The daemon's doors, and its way out. */
export const networkChecks: Readonly<Record<string, Check>> = {
  daemon: async (patient) => daemon(patient),
  socket: async (patient) => socket(patient),
  port: async (patient) => port(patient),
  contact: async (patient) => contact(patient),
  hosts: async (patient) => hosts(patient),
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
  const fix = 'look at its log, then start it again: hydrant serve';
  return [fail('daemon', `it should be there (pid ${notice.pid}), and does not answer`, fix)];
}

async function socket({ notice }: Patient): Promise<Finding[]> {
  const found = notice && (await stat(notice.socket).catch(() => undefined));
  if (notice === undefined || found === undefined || process.platform === 'win32') return [];
  if ((found.mode & 0o077) === 0) return [ok('socket', notice.socket)];
  const says = `others can open ${notice.socket}, and are the operator then`;
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
    return [fail('port', what, 'a firewall on this machine may be in the way')];
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
    'give hydrant serve --crawl-contact (crawlContact in the config file) a page or mail address: sites block crawlers that nobody answers for';
  return [warn('contact', 'the crawl does not say whose it is', fix)];
}

/** What the daemon knows of the hosts that it asks, and of its own way out. */
async function hosts({ status, now }: Patient): Promise<Finding[]> {
  const { network_doubted_since: since = null, unhealthy = [], failing = [], moved = [] } = status?.crawl ?? {};
  if (status === undefined) return [];
  if (since !== null) {
    const says = `no host answers since ${since}, nor do those that answered before`;
    return [fail('network', says, 'look at the network of this machine; nothing is held against the hosts meanwhile')];
  }
  const elsewhere = movedLine(moved);
  const pages = [
    ...failingLines(failing).map((line) => warn('pages', line, PAGES_FIX)),
    ...(elsewhere === undefined ? [] : [warn('pages', `moved for good: ${elsewhere}`, MOVED_FIX)]),
  ];
  if (unhealthy.length === 0) return [ok('hosts', 'all that were asked answer'), ...pages];
  const fix =
    'each is asked less and less often: hydrant crawl why URL tells more; remove those that are gone for good';
  return [...unhealthyLines(unhealthy, now).map((line) => warn('hosts', line, fix)), ...pages];
}

const PAGES_FIX =
  'their hosts answer, but not with a page: hydrant crawl why URL tells more; remove what is gone for good';

const MOVED_FIX =
  'each costs a redirect at every visit, and is lost when that ends: hydrant crawl add the new address, then hydrant crawl remove the old one';

async function dns({ online }: Patient): Promise<Finding[]> {
  const servers = getServers();
  if (servers.length === 0) return [fail('dns', 'there is no name server', 'look at /etc/resolv.conf')];
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
      fail('dns', `${hostname} is not found (${code})`, `look at /etc/resolv.conf; asked: ${servers.join(', ')}`),
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
    const fix = 'set the clock, and let it be kept right: timedatectl set-ntp true';
    return [...findings, fail('web clock', `differs by ${off} s from that of ${new URL(online).host}`, fix)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return [
      fail('web', `${online} cannot be reached: ${cause}`, 'a firewall, or a proxy that is needed: --crawl-proxy'),
    ];
  }
}
