import { explainRefusal, type AddressGuard } from './address-guard.ts';
import { codeOf, quote, quoteUrl } from './printable.ts';
import { isIP } from 'node:net';
import { URL_LENGTH } from '../../shared/limits.ts';

/**
 * Which URLs may be fetched at all, before anything is looked up or connected to. Every URL passes here: a source
 * that is added, a link that is due, each hop of a redirect. What comes out is the parsed URL, and only that one is
 * used: two parsers that read one text in two ways are how gates are walked around.
 */
export type CheckedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: 'bad_url' | 'private_address'; readonly detail: string };

export function checkUrl(text: string, guard: Guard): CheckedUrl {
  if (text.length > URL_LENGTH) return bad(`the URL is longer than ${URL_LENGTH} characters`);
  const odd = /[\p{Cc}\p{White_Space}\\]/u.exec(text);
  if (odd)
    return bad(`${quoteUrl(text)} holds ${naming(odd[0])} at character ${odd.index + 1}; write it percent-encoded`);
  if (!URL.canParse(text)) return bad(`${quoteUrl(text)} is not a URL; write it as https://example.com/page`);
  const url = new URL(text);
  if (url.href.length > URL_LENGTH) return bad(`the URL, percent-encoded, is longer than ${URL_LENGTH} characters`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return bad(`${quoteUrl(text)} is not fetched by http or https`);
  }
  if (url.username !== '' || url.password !== '') return bad('the URL carries a user name or password; leave it out');
  return checkHost(url, guard);
}

/** What the gate needs of the guard. */
export type Guard = Pick<AddressGuard, 'check' | 'opensNetworks'>;

/** A URL's host as an address is written elsewhere: without the brackets of v6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function checkHost(url: URL, guard: Guard): CheckedUrl {
  const host = bareHost(url.hostname);
  const verdict = isIP(host) === 0 ? checkName(host, guard) : guard.check(host);
  if ('ok' in verdict) return verdict;
  if (!verdict.allowed) {
    return { ok: false, reason: 'private_address', detail: explainRefusal(`${host} is not a public address`, verdict) };
  }
  // In a network of the operator's own, services live on any port.
  if (!verdict.opened && !isWebPort(url)) {
    return bad(`port ${url.port} is not one that web pages are fetched from (80, 443, 1024 and above)`);
  }
  return { ok: true, url };
}

/** A name says nothing about its address yet, but some names can only mean a private one. */
function checkName(host: string, guard: Guard): CheckedUrl | { readonly allowed: true; readonly opened: false } {
  const labels = host.replace(/\.$/, '').toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  if (OTHER_NETWORKS.has(last)) return bad(`${quote(host)} is not a public host name`);
  if (isLocalName(host) && !guard.opensNetworks) {
    const detail = `${quote(host)} is a host name of a private network; start hydrantd with --allow-private CIDR to crawl it`;
    return { ok: false, reason: 'private_address', detail };
  }
  return { allowed: true, opened: false };
}

/** Whether a name can only be one of a private network. */
export function isLocalName(host: string): boolean {
  const labels = host.replace(/\.$/, '').toLowerCase().split('.');
  return labels.length === 1 || LOCAL_NAMES.has(labels.at(-1) ?? '') || labels.slice(-2).join('.') === 'home.arpa';
}

/** RFC 6761, RFC 6762, RFC 8375, ICANN's .internal, and what routers hand out. */
const LOCAL_NAMES = new Set(['localhost', 'local', 'internal', 'lan']);
/** Names that a resolver would leak, and that no address answers to (RFC 7686). */
const OTHER_NETWORKS = new Set(['onion', 'i2p']);

/**
 * Below 1024 live mail, file and remote-shell services; above, the ports of the fetch standard's "bad port" list, and those of
 * databases, caches, queues and machine control, which take what an HTTP request says for commands, or let in whoever asks.
 */
function isWebPort(url: URL): boolean {
  if (url.port === '' || url.port === '80' || url.port === '443') return true;
  const port = Number(url.port);
  return port >= 1_024 && !BAD_PORTS.has(port);
}

const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
  // SQL Server, Oracle, MySQL, PostgreSQL, Redis and its sentinel, Cassandra, Elasticsearch, memcached, MongoDB, CouchDB
  1433,
  1521, 3306, 33_060, 5432, 6379, 6380, 26_379, 7000, 7001, 9042, 9200, 9300, 11_211, 27_017, 27_018, 27_019, 5984,
  // MQTT, ZooKeeper, Erlang's port mapper, AMQP, Kafka
  1883, 8883, 2181, 4369, 5671, 5672, 9092,
  // Docker, etcd, Kubernetes' kubelet, remote desktops
  2375, 2376, 2379, 2380, 10_250, 3389, 5900, 5901,
]);

function bad(detail: string): CheckedUrl {
  return { ok: false, reason: 'bad_url', detail };
}

function naming(character: string): string {
  if (character === '\\') return 'a backslash';
  return character === ' ' ? 'a space' : `the character U+${codeOf(character).toUpperCase().padStart(4, '0')}`;
}
