import { contains, embeddedV4, type IpNetwork, parseAddress, parseNetwork } from '../fetch/address-guard.ts';
import type { Outside } from '../outside.ts';
import { StartFailure } from '../start-failure.ts';
import type { AddressPlaces } from '../storage/nodes.ts';
import { IP_IN_FLIGHT, IP_STARTS_A_SECOND } from '../../shared/limits.ts';
import { HeldPlaces } from './held-places.ts';

/**
 * The second limit of politeness: a thousand hosts may be one small machine. In comes the name of a host that is about to
 * be visited, out comes leave to begin, or when to ask again. Who is refused is given a time of its own, one after the
 * other, so that a hundred hosts of one address do not all come back at once to be refused again.
 *
 * A host with several addresses counts for all of them: which one a connection takes is not known before. Addresses that
 * the operator has opened (a private network, loopback) or named as those of a CDN have no limit.
 *
 * Where several nodes crawl, the places at an address are those of all of them, and each node has as many visits under way there as
 * it holds places. With one of the two it begins half as often.
 *
 * Decided against: choosing by address in the frontier, which would have to look up ten million hosts, and again whenever
 * one moves.
 */
export class IpGate {
  readonly #deps: IpGateDeps;
  readonly #shared: readonly IpNetwork[];
  readonly #lines = new Map<string, Line>();
  /** Undefined: all of them are this process's. */
  readonly #held: HeldPlaces | undefined;
  #sweepAt = FEW_LINES;

  /** Throws a StartFailure for a shared network that is none. */
  constructor(deps: IpGateDeps) {
    this.#deps = deps;
    this.#shared = deps.sharedIps.map(sharedNetwork);
    const { places, onError = () => undefined } = deps;
    const inUse = (address: string): number => this.#lines.get(address)?.inFlight ?? 0;
    this.#held = places && new HeldPlaces({ places, inUse, onError });
  }

  /** Addresses that are remembered: those in use, and those asked for a moment ago. */
  get size(): number {
    return this.#lines.size;
  }

  /** A name, or an address as a URL has it (`[::1]`). Whoever is let in leaves when the visit is over. */
  async enter(hostname: string): Promise<Entry> {
    const addresses = await this.#deps.locate(hostname.replaceAll(/^\[|\]$/g, ''));
    const limited = addresses.slice(0, MOST_ADDRESSES).filter((address) => !this.#isExempt(address));
    await this.#findPlaces(limited);
    const now = this.#deps.outside.now();
    const lines = limited.map((address) => this.#line(address, now));
    const closed = lines.filter((line, index) => !isOpen(line, now, this.#places(limited[index] ?? '')));
    if (closed.length > 0) return { opensAt: Math.max(...closed.map((line) => nextSlot(line, now))) };
    for (const line of lines) {
      line.inFlight += 1;
      line.startedAt = now;
    }
    return { leave: leaving(lines) };
  }

  /** Lets other nodes have the places of this one. */
  async close(): Promise<void> {
    await this.#held?.close();
  }

  #places(address: string): number {
    return this.#held?.count(address) ?? IP_IN_FLIGHT;
  }

  /** Asks for those that a visit at these addresses lacks, if nothing else keeps it from beginning. */
  async #findPlaces(addresses: readonly string[]): Promise<void> {
    if (this.#held === undefined) return;
    const now = this.#deps.outside.now();
    const lines = addresses.map((address) => ({ address, line: this.#line(address, now) }));
    if (lines.some(({ line }) => !isOpen(line, now, IP_IN_FLIGHT))) return;
    const lacking = lines.filter(({ address, line }) => !isOpen(line, now, this.#places(address)));
    if (lacking.length > 0) await this.#held.ask(lacking.map(({ address }) => address));
  }

  #line(address: string, now: number): Line {
    const known = this.#lines.get(address);
    if (known) return known;
    if (this.#lines.size >= this.#sweepAt) this.#sweep(now);
    const line = { inFlight: 0, startedAt: -Infinity, slot: -Infinity };
    this.#lines.set(address, line);
    return line;
  }

  /** Each time there are twice as many as were in use: an address is looked at twice in its life, not at every entry. */
  #sweep(now: number): void {
    for (const [address, line] of this.#lines) {
      const isPast = (time: number): boolean => time + IP_IN_FLIGHT * GAP_MS <= now || time > now + MOST_AHEAD_MS;
      if (line.inFlight === 0 && isPast(line.startedAt) && isPast(line.slot)) this.#lines.delete(address);
    }
    this.#sweepAt = Math.max(FEW_LINES, 2 * this.#lines.size);
  }

  #isExempt(text: string): boolean {
    if (this.#deps.isOpened(text)) return true;
    const parsed = this.#shared.length > 0 ? parseAddress(text) : undefined;
    const address = parsed && (embeddedV4(parsed) ?? parsed);
    return address !== undefined && this.#shared.some((network) => contains(network, address));
  }
}

export type Entry = { readonly opensAt?: undefined; readonly leave: () => void } | { readonly opensAt: number };

interface IpGateDeps {
  /** All addresses of a name; empty when there are none. Never rejects. */
  readonly locate: (hostname: string) => Promise<readonly string[]>;
  /** Whether the operator has opened the address by `allow-private`. */
  readonly isOpened: (address: string) => boolean;
  /** The setting `crawl-shared-ips`: networks of CDNs. */
  readonly sharedIps: readonly string[];
  readonly outside: Pick<Outside, 'now'>;
  /** Where other nodes crawl, too. */
  readonly places?: AddressPlaces | undefined;
  /** What goes wrong behind the visits. */
  readonly onError?: (what: string, error: unknown) => void;
}

interface Line {
  inFlight: number;
  /** When the last one began. */
  startedAt: number;
  /** The latest time that was given to somebody who was refused. */
  slot: number;
}

/** `places`: how many of them are this node's. */
function isOpen({ inFlight, startedAt }: Line, now: number, places: number): boolean {
  // A beginning that lies ahead is one of a clock that was ahead.
  const isRested = startedAt + GAP_MS * (IP_IN_FLIGHT / places) <= now || startedAt > now;
  return inFlight < places && isRested;
}

function nextSlot(line: Line, now: number): number {
  const last = Math.max(now, line.slot > now + MOST_AHEAD_MS ? now : line.slot);
  line.slot = Math.min(last + GAP_MS, now + MOST_AHEAD_MS);
  return line.slot;
}

function leaving(lines: readonly Line[]): () => void {
  let isInside = true;
  return () => {
    if (isInside) for (const line of lines) line.inFlight -= 1;
    isInside = false;
  };
}

function sharedNetwork(text: string): IpNetwork {
  const parsed = parseNetwork(text);
  if (parsed) return parsed;
  const what = `${JSON.stringify(text)} is not a network; write it as 104.16.0.0/13`;
  throw new StartFailure('configuration', `crawl-shared-ips: ${what}`);
}

/** Beginnings on one address are this far apart, rather than four at once and then none. */
const GAP_MS = 1_000 / IP_STARTS_A_SECOND;
/** Nobody is told to come back later than this: visits are quicker than they might be, and visitors go elsewhere. */
const MOST_AHEAD_MS = 5 * 60_000;
/** Of a host with more, those that the resolver gave first. */
const MOST_ADDRESSES = 16;
const FEW_LINES = 1_000;
