import { isIP } from 'node:net';

/** An IP address as a number: 32 bits wide in family 4, 128 in family 6. */
export interface IpAddress {
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
export function firstOf(network: IpNetwork): IpNetwork {
  const shift = BigInt(width(network) - network.bits);
  return { ...network, value: (network.value >> shift) << shift };
}

/** Undefined unless the last 32 bits hold a v4 address: `::ffff:0:0/96` (RFC 4291) and `64:ff9b::/96` (RFC 6052). */
export function embeddedV4(address: IpAddress): IpAddress | undefined {
  if (address.family !== 6 || !EMBEDDING.has(address.value >> 32n)) return undefined;
  return { family: 4, value: address.value & 0xffff_ffffn };
}

export function formatNetwork({ family, value, bits }: IpNetwork): string {
  return `${family === 4 ? formatV4(value) : formatV6(value)}/${bits}`;
}

export function width({ family }: IpAddress): 32 | 128 {
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
