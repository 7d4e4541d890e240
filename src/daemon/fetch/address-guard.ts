import { isIP } from 'node:net';
import { codeOf, quote, quoteUrl } from './printable.ts';
import { StartFailure } from '../start-failure.ts';
import { URL_LENGTH } from '../../shared/limits.ts';

/**
 * Which addresses a fetch may reach. Pages choose where the crawl goes next, so without a guard any page could send
 * the daemon to the operator's router, to a database on loopback, or to a cloud's metadata service.
 *
 * In comes an address as text (a literal from a URL, a resolver's answer, a socket's peer), out comes a verdict with
 * the range that decided. v4 is open except for its special blocks; v6 is closed except for what IANA has assigned
 * (2000::/3) minus its special blocks. An address that carries a v4 address is judged by that one. The operator opens
 * private networks with `allow-private`, one by one; metadata services stay closed even then.
 *
 * Decided against: `net.BlockList`, which looks through ::ffff:0:0/96 but not through 64:ff9b::/96, and says no more
 * than yes or no; a switch "allow private" without a network, which opens metadata along with the home network.
 */
export class AddressGuard {
  readonly #opened: readonly IpNetwork[];

  /** Throws a StartFailure for what is no network, and for one that holds nothing but a metadata address. */
  constructor(options: { readonly allowPrivate: readonly string[] }) {
    this.#opened = options.allowPrivate.map(openable);
  }

  /** Whether the operator opened any network: names of private networks are worth looking up only then. */
  get opensNetworks(): boolean {
    return this.#opened.length > 0;
  }

  check(text: string): AddressVerdict {
    const parsed = parseAddress(text);
    if (!parsed) return { allowed: false, range: 'none', name: 'not an IP address', openable: false };
    const address = embeddedV4(parsed) ?? parsed;
    const metadata = METADATA.find((range) => contains(range.network, address));
    if (metadata) return refusal(metadata);
    if (this.#opened.some((network) => contains(network, address))) return { allowed: true, opened: true };
    const special = SPECIAL.find((range) => contains(range.network, address));
    if (special) return refusal(special);
    return address.family === 4 || contains(GLOBAL_UNICAST, address)
      ? { allowed: true, opened: false }
      : refusal(UNASSIGNED);
  }
}

export type AddressVerdict =
  | {
      readonly allowed: true;
      /** By the operator's word, not because the address is public. */
      readonly opened: boolean;
    }
  | AddressRefusal;

interface AddressRefusal {
  readonly allowed: false;
  /** The block that decided, as `10.0.0.0/8`. */
  readonly range: string;
  /** What the block is, as `private network`. */
  readonly name: string;
  /** Whether opening the block with `allow-private` makes sense: hosts with pages may live there. */
  readonly openable: boolean;
}

/** `<subject> (private network 10.0.0.0/8); start hydrantd with --allow-private 10.0.0.0/8 to crawl it`. */
export function explainRefusal(subject: string, { range, name, openable }: AddressRefusal): string {
  return `${subject} (${name} ${range})${openable ? `; start hydrantd with --allow-private ${range} to crawl it` : ''}`;
}

interface SpecialRange {
  readonly network: IpNetwork;
  readonly name: string;
  readonly openable: boolean;
}

function network(text: string): IpNetwork {
  const parsed = parseNetwork(text);
  if (!parsed) throw new TypeError(`${text} is not a network`);
  return parsed;
}

const local = (cidr: string, name: string): SpecialRange => ({ network: network(cidr), name, openable: true });
const reserved = (cidr: string, name: string): SpecialRange => ({ network: network(cidr), name, openable: false });

const GLOBAL_UNICAST = network('2000::/3');
const UNASSIGNED = reserved('::/0', 'not assigned to the public internet');

/**
 * Metadata services hand out credentials to whoever asks: AWS and most others, AWS over v6, Google over v6, AWS for
 * containers (ECS, EKS), Alibaba, Oracle, and Azure's, whose address is out of the public space.
 */
const METADATA: readonly SpecialRange[] = [
  reserved('169.254.169.254/32', 'cloud metadata'),
  reserved('fd00:ec2::254/128', 'cloud metadata'),
  reserved('fd20:ce::254/128', 'cloud metadata'),
  reserved('169.254.170.2/32', 'cloud metadata'),
  reserved('169.254.170.23/32', 'cloud metadata'),
  reserved('fd00:ec2::23/128', 'cloud metadata'),
  reserved('168.63.129.16/32', 'cloud metadata'),
  reserved('100.100.100.200/32', 'cloud metadata'),
  reserved('192.0.0.192/32', 'cloud metadata'),
];

/** IANA's special-purpose registries (RFC 6890 and its updates). */
const SPECIAL: readonly SpecialRange[] = [
  reserved('0.0.0.0/8', 'this network'),
  local('10.0.0.0/8', 'private network'),
  local('100.64.0.0/10', 'carrier-grade NAT'),
  local('127.0.0.0/8', 'loopback'),
  local('169.254.0.0/16', 'link-local'),
  local('172.16.0.0/12', 'private network'),
  reserved('192.0.0.0/24', 'protocol assignments'),
  reserved('192.0.2.0/24', 'documentation'),
  reserved('192.88.99.0/24', '6to4 relay'),
  local('192.168.0.0/16', 'private network'),
  local('198.18.0.0/15', 'benchmarking'),
  reserved('198.51.100.0/24', 'documentation'),
  reserved('203.0.113.0/24', 'documentation'),
  reserved('224.0.0.0/4', 'multicast'),
  reserved('240.0.0.0/4', 'reserved'),
  local('::1/128', 'loopback'),
  reserved('::/128', 'unspecified'),
  local('fc00::/7', 'unique local'),
  local('fe80::/10', 'link-local'),
  local('fec0::/10', 'site-local'),
  reserved('ff00::/8', 'multicast'),
  // 2001::/23 holds Teredo, 2002::/16 is 6to4: both carry a v4 address that a relay would connect to for us.
  reserved('2001::/23', 'protocol assignments'),
  reserved('2001:db8::/32', 'documentation'),
  reserved('2002::/16', '6to4'),
  reserved('3fff::/20', 'documentation'),
];

/** Every network that an operator may open: hosts with pages may live there. */
export const OPENABLE_NETWORKS: readonly string[] = SPECIAL.filter((range) => range.openable).map((range) =>
  formatNetwork(range.network),
);

function refusal({ network, name, openable }: SpecialRange): AddressRefusal {
  return { allowed: false, range: formatNetwork(network), name, openable };
}

function openable(text: string): IpNetwork {
  const parsed = parseNetwork(text);
  if (!parsed) throw refusedSetting(`${quote(text)} is not a network; write it as ${suggestion(text)}`);
  const first = firstOf(parsed);
  if (first.value !== parsed.value) {
    throw refusedSetting(`${quote(text)} has bits behind its prefix; write it as ${formatNetwork(first)}`);
  }
  const opened = judgedAs(parsed);
  if (opened.bits === width(opened) && METADATA.some(({ network }) => contains(network, opened))) {
    throw refusedSetting(`${quote(text)} is a cloud metadata address, which cannot be allowed; leave it out`);
  }
  return opened;
}

/** `::ffff:10.0.0.0/104` means the v4 network inside, as the addresses in it do. */
function judgedAs(network: IpNetwork): IpNetwork {
  const inside: IpAddress | undefined = network.bits >= 96 ? embeddedV4(network) : undefined;
  return inside ? { ...inside, bits: network.bits - 96 } : network;
}

function refusedSetting(what: string): StartFailure {
  return new StartFailure('configuration', `allow-private: ${what}`);
}

/** The network that was probably meant: an address alone, or the first octets of one. */
function suggestion(text: string): string {
  const literal = text.split('/', 1)[0] ?? '';
  const address = parseAddress(literal);
  if (address && !literal.includes('%')) return formatNetwork({ ...address, bits: width(address) });
  const octets = /^\d{1,3}(?:\.\d{1,3}){0,2}(?=\.?$)/.exec(literal)?.[0].split('.') ?? [];
  const padded = [...octets, '0', '0', '0'].slice(0, 4).join('.');
  return octets.length > 0 && parseAddress(padded) ? `${padded}/${8 * octets.length}` : '192.168.1.0/24';
}

/** An IP address as a number: 32 bits wide in family 4, 128 in family 6. */
interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** All addresses that share the first `bits` bits of `value`. */
export interface IpNetwork extends IpAddress {
  readonly bits: number;
}

/** Undefined for anything but a v4 or v6 literal. A zone (`fe80::1%eth0`) names an interface and is left out. */
export function parseAddress(text: string): IpAddress | undefined {
  const bare = text.split('%', 1)[0] ?? '';
  const family = isIP(bare);
  if (family === 4) return { family, value: v4(bare) };
  if (family === 6) return { family, value: v6(bare) };
  return undefined;
}

/** `10.0.0.0/8`, `fd00::/8`. Undefined for any other form; bits behind the prefix are the caller's to judge. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [, literal = '', prefix = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(literal);
  const bits = Number(prefix);
  return address && bits <= width(address) ? { ...address, bits } : undefined;
}

export function contains(network: IpNetwork, address: IpAddress): boolean {
  const shift = BigInt(width(network) - network.bits);
  return network.family === address.family && network.value >> shift === address.value >> shift;
}

/** The network's first address: bits behind the prefix are zero. */
function firstOf(network: IpNetwork): IpNetwork {
  const shift = BigInt(width(network) - network.bits);
  return { ...network, value: (network.value >> shift) << shift };
}

/** Undefined unless the last 32 bits hold a v4 address: `::ffff:0:0/96` (RFC 4291) and `64:ff9b::/96` (RFC 6052). */
export function embeddedV4(address: IpAddress): IpAddress | undefined {
  if (address.family !== 6 || !EMBEDDING.has(address.value >> 32n)) return undefined;
  return { family: 4, value: address.value & 0xffff_ffffn };
}

function formatNetwork({ family, value, bits }: IpNetwork): string {
  return `${family === 4 ? formatV4(value) : formatV6(value)}/${bits}`;
}

function width({ family }: IpAddress): 32 | 128 {
  return family === 4 ? 32 : 128;
}

const EMBEDDING = new Set([v6('::ffff:0:0') >> 32n, v6('64:ff9b::') >> 32n]);

function v4(text: string): bigint {
  return text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/** A valid v6 literal: up to eight groups, one `::` for a run of zeros, the last two perhaps in v4's dotted form. */
function v6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => 0n);
  return [...first, ...zeros, ...last].reduce((value, group) => (value << 16n) | group, 0n);
}

function groups(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const dotted = v4(group);
    return [dotted >> 16n, dotted & 0xffffn];
  });
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** By way of the URL parser, which writes the shortest form (RFC 5952). */
function formatV6(value: bigint): string {
  const text = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  return new URL(`http://[${text.join(':')}]/`).hostname.slice(1, -1);
}

/**
 * Which URLs may be fetched at all, before anything is looked up or connected to. Every URL passes here: a source
 * that is added, a link that is due, each hop of a redirect. What comes out is the parsed URL, and only that one is
 * used: two parsers that read one text in two ways are how gates are walked around.
 */
type CheckedUrl =
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
