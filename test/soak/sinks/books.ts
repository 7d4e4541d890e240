import type { Arrival, Piece } from './receiver.ts';
import type { Logged, TapName } from './news.ts';
import type { ParkedMessage, SinkReport } from '../../../src/shared/api/notify.ts';

/** What one sink was to carry, and what came of it. */
export interface Account {
  readonly name: string;
  /** As they came. */
  readonly arrivals: readonly Arrival[];
  readonly report: SinkReport;
  readonly parked: readonly ParkedMessage[];
  /** What it was to carry of each tap, in its order. */
  readonly owed: ReadonlyMap<TapName, readonly Logged[]>;
  /** Whether each event is named by its message: a mail and a message with more than it shows count some. */
  readonly isNamed: boolean;
}

export interface Verdict {
  readonly faults: readonly string[];
  readonly row: Row;
}

/** Of events, but for `messages`, `requests` and `repeated`. */
export interface Row {
  readonly sink: string;
  readonly events: number;
  readonly alone: number;
  readonly folded: number;
  readonly together: number;
  readonly parked: number;
  readonly dropped: number;
  readonly messages: number;
  readonly requests: number;
  /** Requests with a message that was accepted before: after a kill; and after an answer that was cut short. */
  readonly repeated: number;
  readonly unclear: number;
}

/** @param kills how many there were: of one sink, one message may have been under way at each */
export function verdict(account: Account, kills: number): Verdict {
  const { name, arrivals, report, parked, owed } = account;
  const told = complainer();
  const parkedIds = new Set(parked.map((message) => message.message_id));
  const taken = firstTaken(arrivals, parkedIds);
  const aside = [...parkedIds].flatMap((id) => arrivals.find((arrival) => arrival.id === id) ?? []);
  told(aside.length === parked.length, `${parked.length - aside.length} parked messages never came to the receiver`);
  const events = [...owed.values()].reduce((sum, some) => sum + some.length, 0);
  const sum = (some: readonly Arrival[]): number => some.reduce((all, { count }) => all + count, 0);
  const { dropped, sent, behind } = report.counts;
  const all = sum(taken) + sum(aside) + dropped;
  told(behind === 0, `${behind} events wait in the end`);
  told(all === events, `${events} events, but ${sum(taken)} sent + ${sum(aside)} parked + ${dropped} dropped = ${all}`);
  told(sent === taken.length, `${sent} messages are counted as sent, ${taken.length} came`);
  const saidDropped = taken.reduce((some, one) => some + one.dropped, 0);
  told(saidDropped === dropped, `${dropped} events were dropped, the messages say ${saidDropped}`);
  for (const complaint of [...sameWords(arrivals), ...order(taken, owed), ...names(account, [...taken, ...aside])]) {
    told(false, complaint);
  }
  const repeats = repeatsOf(arrivals);
  for (const complaint of repeats.faults) told(false, complaint);
  told(repeats.afterKill <= kills, `${repeats.afterKill} messages came twice, at ${kills} kills`);
  const singles = taken.filter(({ count, alike }) => count === 1 + alike.length);
  const folded = singles.reduce((some, { alike }) => some + alike.length, 0);
  return {
    faults: told.faults.map((fault) => `FAULT: ${name}: ${fault}`),
    row: {
      sink: name,
      events,
      alone: singles.length,
      folded,
      together: sum(taken) - singles.length - folded,
      parked: sum(aside),
      dropped,
      messages: taken.length,
      requests: arrivals.length,
      repeated: repeats.afterKill,
      unclear: repeats.afterUnclear,
    },
  };
}

/** Each message where it was taken first, but for those that were given up. */
function firstTaken(arrivals: readonly Arrival[], parked: ReadonlySet<string>): Arrival[] {
  const known = new Set(parked);
  return arrivals.filter(({ id, fate }) => {
    if (fate === 'failed' || known.has(id)) return false;
    known.add(id);
    return true;
  });
}

/** A message keeps its words in every attempt. */
function sameWords(arrivals: readonly Arrival[]): string[] {
  const words = new Map<string, string>();
  return arrivals.flatMap(({ id, type, leads, alike, count }) => {
    const said = JSON.stringify([type, leads, alike, count]);
    const before = words.get(id);
    words.set(id, said);
    return before === undefined || before === said ? [] : [`${id} said ${before}, and then ${said}`];
  });
}

/** Of each tap, whatever came between. */
function order(taken: readonly Arrival[], owed: Account['owed']): string[] {
  const complaints: string[] = [];
  for (const [tap, events] of owed) {
    const offsets = new Map(events.map(({ url, offset }) => [url, offset]));
    let last = -1;
    for (const { url } of taken.flatMap(({ leads }) => leads).filter((lead) => lead.tap === tap)) {
      const offset = offsets.get(url);
      if (offset !== undefined && offset <= last) complaints.push(`${tap}: ${offset} came after ${last}`);
      last = Math.max(last, offset ?? -1);
    }
  }
  return complaints;
}

/** Each event under one id, none that was not asked for, and where all are named, all. */
function names({ owed, isNamed }: Account, messages: readonly Arrival[]): string[] {
  const key = ({ tap, url }: Piece): string => `${tap} ${url}`;
  const wanted = new Set([...owed].flatMap(([tap, events]) => events.map(({ url }) => key({ tap, url }))));
  const ids = new Map<string, string>();
  const complaints: string[] = [];
  for (const { id, leads, alike } of messages) {
    for (const piece of [...leads, ...alike].map(key)) {
      const before = ids.get(piece);
      if (before !== undefined) complaints.push(`${piece} came as ${before} and as ${id}`);
      if (!wanted.has(piece)) complaints.push(`${piece} was not to be carried`);
      ids.set(piece, id);
    }
  }
  if (!isNamed) return complaints;
  const missing = [...wanted].filter((one) => !ids.has(one));
  return missing.length === 0
    ? complaints
    : [...complaints, `${missing.length} never came: ${missing.slice(0, 5).join(', ')}`];
}

/** A message may come again where it was the last of a life and is the first of the next one, or its answer was cut short. */
function repeatsOf(arrivals: readonly Arrival[]): { afterKill: number; afterUnclear: number; faults: string[] } {
  const found = { afterKill: 0, afterUnclear: 0, faults: [] as string[] };
  const last = new Map<string, { readonly index: number; readonly arrival: Arrival }>();
  for (const [index, arrival] of arrivals.entries()) {
    const before = last.get(arrival.id);
    if (arrival.fate === 'failed' && before === undefined) continue;
    if (before !== undefined) {
      const isNext = before.index === index - 1;
      if (before.arrival.fate === 'unclear') found.afterUnclear += 1;
      else if (isNext && arrival.life > before.arrival.life) found.afterKill += 1;
      else found.faults.push(`${arrival.id} came again in life ${arrival.life}, after life ${before.arrival.life}`);
    }
    last.set(arrival.id, {
      index,
      arrival: arrival.fate === 'failed' && before ? { ...arrival, fate: 'unclear' } : arrival,
    });
  }
  return found;
}

/** Says what does not hold. */
function complainer(): { (isWell: boolean, complaint: string): void; readonly faults: string[] } {
  const faults: string[] = [];
  const told = (isWell: boolean, complaint: string): void => {
    if (!isWell) faults.push(complaint);
  };
  return Object.assign(told, { faults });
}
