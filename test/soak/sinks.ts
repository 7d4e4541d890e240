import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../acceptance/real-daemon.ts';
import { seeded } from '../fixtures/series.ts';
import { ask, read } from './crash/ask.ts';
import { type Row, verdict } from './sinks/books.ts';
import { AT_MOST, FORGOTTEN, House, SINKS } from './sinks/house.ts';
import { type Logged, logged, News, type TapName } from './sinks/news.ts';
import type { Arrival, Episode } from './sinks/receiver.ts';
import { streamDelays } from './sinks/stream-delays.ts';
import { type FaultPoint, SINK_FAULT_POINTS } from '../../src/daemon/fault-points.ts';
import type { SinkCounts } from '../../src/shared/api/notify.ts';
import type { WatchReport } from '../../src/shared/api/watch.ts';

const KILLS = 60;

/**
 * Ten sinks of the real daemon, whose receivers fail in every way that they know, under so many events and 60 kills: each event
 * reaches each sink once, in order, under one id, or is told of as parked or dropped. Then what their silence is to streams.
 */
export async function sinks(events: number, seed = Math.floor(Math.random() * 2 ** 31)): Promise<string[]> {
  const began = performance.now();
  const found = await delivered({ events, kills: KILLS, seed, longLives: 3 });
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  process.stderr.write(`${[found.table, `${seconds} s`, ...found.faults].join('\n')}\n`);
  const delays = await streamDelays({ rounds: 3, records: 400, perSecond: 20, streams: 25 });
  return [`${found.table}\n${seconds} s, seed ${seed}\n${delays}`, ...found.faults];
}

export interface Delivering {
  readonly events: number;
  readonly kills: number;
  readonly seed: number;
  /** Of the lives, those that are long enough for an attempt that is never answered to end. */
  readonly longLives: number;
}

export interface Delivered {
  readonly table: string;
  readonly rows: readonly Row[];
  /** Kills at a fault point. */
  readonly fallen: number;
  readonly faults: readonly string[];
}

export async function delivered(asked: Delivering): Promise<Delivered> {
  const { events, kills, seed, longLives } = asked;
  const [planned, random] = [seeded(seed), seeded(seed + 1)];
  const mostTimes = Math.min(MOST_TIMES, events / kills / 8);
  const house = await House.start();
  try {
    const news = new News(house.tapIds, Math.max(25, Math.ceil(events / 4 / REFUSED_EVENTS)));
    let fallen = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const isLong = longLives > 0 && kill % Math.ceil(kills / longLives) === 1;
      const point = planned() < AT_POINTS && !isLong ? POINTS[kill % POINTS.length] : undefined;
      const plan = {
        fault: point === undefined ? undefined : `${point}:${1 + Math.floor(planned() * mostTimes)}`,
        longestMs: isLong ? LONG_MS : point === undefined ? 200 + planned() * USUAL_MS : 3 * USUAL_MS,
        events: Math.ceil((events * (1 - SENT)) / kills),
        records: Math.ceil((events * SENT) / kills / 4),
      };
      if (await live({ house, news, random }, plan)) fallen += 1;
      if ((kill + 1) % 10 === 0) process.stderr.write(`  ${kill + 1} of ${kills} kills\n`);
    }
    const trouble = await problems(house);
    const hurry = hurried(house.arrivalsOf('few'));
    await settle(house);
    const logs = await forget(house, news, Math.ceil(events / 100));
    const verdicts = (await house.accounts(logs)).map((account) => verdict(account, kills + TROUBLED_LIVES));
    await house.daemon.stop();
    const faults = [...trouble, ...hurry, ...house.web.faults].map((fault) => `FAULT: ${fault}`);
    faults.push(...verdicts.flatMap((one) => one.faults));
    const rows = verdicts.map(({ row }) => row);
    const total = [...logs.values()].reduce((sum, some) => sum + some.length, 0);
    const head = `${total} events, ${SINKS.length} sinks, ${kills + TROUBLED_LIVES} kills, ${fallen + 1} of them at fault points`;
    return { table: `${head}\n${tableOf(rows)}`, rows, fallen, faults };
  } finally {
    await house.close();
  }
}

interface World {
  readonly house: House;
  readonly news: News;
  readonly random: () => number;
}

interface LifePlan {
  readonly fault: string | undefined;
  readonly longestMs: number;
  readonly events: number;
  readonly records: number;
}

/** One life, with everyone at work, and its end. Whether it ended by itself, at its point. */
async function live({ house, news, random }: World, plan: LifePlan): Promise<boolean> {
  const { daemon } = house;
  house.pass(AWAY_MS);
  await house.withStorage((storage) => news.write(storage, plan.events, house.now));
  house.behave(episodes(random));
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  try {
    await daemon.start(plan.fault);
  } catch (error) {
    const ended = await daemon.ended;
    if (plan.fault === undefined || ended?.signal !== 'SIGKILL') throw error;
    await daemon.killAtRandom();
    return true;
  }
  const gone = daemon.ended.then(() => over.abort());
  const longest = sleep(plan.longestMs, undefined, { signal: over.signal }).catch(() => undefined);
  const send = async (): Promise<void> => {
    for (let sent = 0; sent < plan.records && !isOver(); sent += 1) await news.send(daemon);
  };
  const operate = async (): Promise<void> => {
    while (!isOver()) {
      await revive(house, () => random() < RESUMED);
      await sleep(OPERATOR_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const work = [send(), operate()];
  await Promise.race([longest, gone]);
  const hasFallen = isOver();
  over.abort();
  await daemon.killAtRandom();
  await Promise.all(work);
  return hasFallen;
}

/** Somebody resumes what waits after a failure, or was told that nobody is there any more. */
async function revive(house: House, isChosen: () => boolean): Promise<void> {
  for (const { name, state, waiting } of (await house.sinks()) ?? []) {
    if ((state === 'disabled' || waiting?.why === 'failure') && isChosen()) await house.tell(name, 'resume');
  }
}

/** Of the receivers, most misbehave in a life: for a few messages, or as long as it lasts. */
function episodes(random: () => number): Map<string, Episode> {
  const chosen = new Map<string, Episode>();
  for (const { name, misdeeds } of SINKS) {
    const misdeed = misdeeds[Math.floor(random() * misdeeds.length)];
    if (misdeed === undefined || random() < WELL) continue;
    const isWhole = random() < WHOLE_LIFE;
    const after = isWhole ? 0 : Math.floor(random() * 60);
    chosen.set(name, { misdeed, after, times: isWhole ? Infinity : 1 + Math.floor(random() * 6) });
  }
  return chosen;
}

/** A watch begins to fail, and the daemon is killed while it notes that: it is told of once. */
async function problems(house: House): Promise<string[]> {
  const { daemon } = house;
  house.pass(AWAY_MS);
  house.behave(new Map());
  await daemon.start();
  const watches = [{ url: `${house.web.origin}/nothing`, frequency_minutes: 5 }];
  await ask(daemon, 'POST', '/admin/watches/batch', { body: { watches } });
  const isFailing = async (): Promise<boolean> =>
    (await read<WatchReport[]>(daemon, '/admin/watches')).some(({ problem }) => problem !== null);
  await until('the watch fails', isFailing, PATIENCE_MS);
  await daemon.killAtRandom();
  house.passToMinuteAfter(0);
  await daemon.start('sink:problems-begun:1');
  const patience = new AbortController();
  const tooLong = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(
    () => false,
    () => true,
  );
  const hasFallen = await Promise.race([daemon.ended.then(() => true), tooLong]);
  patience.abort();
  await daemon.killAtRandom();
  house.passToMinuteAfter(0);
  await daemon.start();
  const told = (): string[] =>
    house
      .arrivalsOf('all')
      .filter(({ fate, type, title }) => fate === 'accepted' && type === 'problem' && title.includes('/nothing'))
      .map(({ id }) => id);
  await until('the problem is told', () => told().length > 0, PATIENCE_MS);
  await daemon.killAtRandom();
  const ids = new Set(told());
  return [
    ...(hasFallen ? [] : ['all: the daemon did not come by sink:problems-begun']),
    ...(ids.size === 1 ? [] : [`all: one problem was told of as ${[...ids].join(', ')}`]),
  ];
}

/** Everyone is well, and somebody resumes whatever waits: lives without a kill until nothing is behind. */
async function settle(house: House): Promise<void> {
  for (let life = 0; life < MOST_LIVES; life += 1) {
    house.pass(AWAY_MS);
    house.behave(new Map());
    await house.daemon.start();
    const isSettled = await drained(house);
    await house.daemon.killAtRandom();
    if (isSettled) return;
  }
}

/** Until each sink has sent all, or waits for a time that this life does not see, or none gets on any more. */
async function drained(house: House): Promise<boolean> {
  for (let [turns, done] = [0, -1]; turns < PATIENCE_MS / OPERATOR_MS; turns += 1) {
    await revive(house, () => true);
    const all = await house.sinks();
    if (all === undefined) throw new Error('the daemon does not say how its sinks are');
    const active = all.filter(({ state }) => state !== 'paused');
    const behind = active.filter(({ counts }) => counts.behind > 0);
    if (behind.length === 0) return true;
    if (behind.every(({ waiting }) => waiting !== null && waiting.why !== 'failure')) return false;
    const reached = active.reduce((sum, { counts }) => sum + counts.sent + counts.parked, 0);
    if (reached > done) turns = 0;
    done = Math.max(done, reached);
    await sleep(OPERATOR_MS);
  }
  return false;
}

/** No life but the last ones is longer than the minute in which there may be so many. */
function hurried(arrivals: readonly Arrival[]): string[] {
  const lives = Map.groupBy(arrivals, ({ life }) => life);
  return [...lives].flatMap(([life, some]) => {
    const { length } = some.filter(({ fate }) => fate === 'accepted');
    return length <= AT_MOST ? [] : [`few: ${length} messages in life ${life}, which may have ${AT_MOST}`];
  });
}

/**
 * One sink is paused while events come, for longer than the log keeps them. The log is cut when a minute of its clock ends, a few
 * seconds after the start. The daemon runs in the end.
 */
async function forget(house: House, news: News, events: number): Promise<ReadonlyMap<TapName, readonly Logged[]>> {
  house.pass(AWAY_MS);
  house.behave(new Map());
  await house.daemon.start();
  await house.tell(FORGOTTEN, 'pause');
  await house.daemon.killAtRandom();
  await house.withStorage((storage) => news.write(storage, events, house.now, 'alpha'));
  await settle(house);
  const logs = await house.withStorage((storage) => logged(storage, house.tapIds));
  house.passToMinuteAfter(DAY_MS);
  house.behave(new Map());
  await house.daemon.start();
  const isSo = async (holds: (counts: SinkCounts) => boolean): Promise<boolean> =>
    ((await house.sinks()) ?? []).some(({ name, counts }) => name === FORGOTTEN && holds(counts));
  await until('the log has forgotten what is old', () => isSo(({ behind }) => behind === 0), PATIENCE_MS);
  await house.tell(FORGOTTEN, 'resume');
  await until(
    'what was dropped is told',
    () => isSo(({ behind, dropped }) => behind === 0 && dropped > 0),
    PATIENCE_MS,
  );
  return logs;
}

const COLUMNS: readonly (keyof Row)[] = [
  'sink',
  'events',
  'alone',
  'folded',
  'together',
  'parked',
  'dropped',
  'messages',
  'requests',
  'repeated',
  'unclear',
];

function tableOf(rows: readonly Row[]): string {
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))];
  return lines
    .map(([sink, ...cells]) => String(sink).padEnd(9) + cells.map((one) => String(one).padStart(10)).join(''))
    .join('\n');
}

/** Those that a delivery comes by, in turns. */
const POINTS: readonly FaultPoint[] = SINK_FAULT_POINTS.filter((point) => point !== 'sink:problems-begun');
/** Of the kills; a point that a life does not come by for long is not waited for. */
const AT_POINTS = 0.6;
const MOST_TIMES = 60;
const USUAL_MS = 3_000;
const LONG_MS = 23_000;
/** Of the events, those that come while the daemon runs. */
const SENT = 0.2;
/** How long a daemon is away, by its clock: a digest is due by then, and so is a second attempt. */
const AWAY_MS = 400_000;
const DAY_MS = 86_400_000;
const OPERATOR_MS = 200;
/** Of what has to come; nothing takes nearly as long. */
const PATIENCE_MS = 120_000;
const RESUMED = 0.4;
const WELL = 0.35;
const WHOLE_LIFE = 0.2;
const MOST_LIVES = 20;
const REFUSED_EVENTS = 12;
/** Those in which a watch begins to fail: they end with a kill, too. */
const TROUBLED_LIVES = 3;
