import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { CrawlStatus } from '../../shared/api/crawl.ts';
import type { SinkTotals, Status } from '../../shared/api/status.ts';

/**
 * The figures of `hydrant status` and `hydrant crawl status` for Prometheus. They are read when Prometheus scrapes, from the
 * services that keep them; nothing is counted twice.
 *
 * No label has a host, URL or rule as its value: these are unbounded, and readers of the metrics need not learn what is crawled.
 * Label values come from fixed lists.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #read: () => Promise<MetricsFacts>;
  readonly #figures = figures.map((figure) => ({ figure, metric: metricOf(figure, this.#registry) }));

  constructor(read: () => Promise<MetricsFacts>) {
    this.#read = read;
    // Of the process: memory, CPU time, open files, event loop delay, garbage collection.
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics come from one reading, so that they are consistent. */
  async text(): Promise<string> {
    const facts = await this.#read();
    for (const { figure, metric } of this.#figures) {
      metric.reset();
      for (const [labels, value] of figure.of(facts)) tell(metric, labels, value);
    }
    return this.#registry.metrics();
  }
}

type Metric = Counter | Gauge;

function metricOf({ name, help, type, label }: Figure, registry: Registry): Metric {
  const form = { name: `hydrant_${name}`, help, labelNames: label === undefined ? [] : [label], registers: [registry] };
  return type === 'counter' ? new Counter(form) : new Gauge(form);
}

function tell(metric: Metric, labels: Readonly<Record<string, string>>, value: number | null): void {
  // A metric without a label would otherwise be reported as 0.
  if (value === null) metric.remove({ ...labels });
  else metric.inc({ ...labels }, value);
}

interface MetricsFacts {
  readonly status: Status;
  readonly crawl: CrawlStatus;
}

/** A value with its label; null is not reported. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | null];

interface Figure {
  /** Without the prefix `hydrant_`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly label?: string;
  /** Of the storage: all daemons that share it report the same. Absent: of this daemon. */
  readonly isTotal?: true;
  readonly of: (facts: MetricsFacts) => readonly Sample[];
}

const only = (value: number | null): Sample[] => [[{}, value]];
const by = (label: string, values: Readonly<Record<string, number | null>>): Sample[] =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

function sinkStates({ sinks, paused, unhealthy }: SinkTotals): Readonly<Record<string, number>> {
  const of = (wanted: string): number => unhealthy.filter(({ state }) => state === wanted).length;
  return { all: sinks, paused, failing: of('failing'), dead: of('dead'), disabled: of('disabled') };
}

function nodeStates(nodes: NonNullable<Status['nodes']>): Readonly<Record<string, number>> {
  const live = nodes.filter(({ is_live: isLive }) => isLive).length;
  return { live, silent: nodes.length - live };
}

/** One entry per metric. */
export const figures: readonly Figure[] = [
  {
    name: 'nodes',
    help: 'Daemons that share the database and were heard of in the last day: those that live, and those that are silent.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ status: { nodes } }) => (nodes === undefined ? [] : by('state', nodeStates(nodes))),
  },
  {
    name: 'sources',
    help: 'Sources of the crawl.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ crawl }) => by('state', { ...crawl.sources }),
  },
  {
    name: 'pages',
    help: 'Pages in the frontier, visited or not.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ crawl: { pages } }) => by('state', { visited: pages.known - pages.unvisited, unvisited: pages.unvisited }),
  },
  {
    name: 'visits_total',
    help: 'Visits since the database was created.',
    type: 'counter',
    isTotal: true,
    of: ({ crawl }) => only(crawl.visits.made),
  },
  {
    name: 'visit_outcomes_total',
    help: 'Visits since the start, by outcome: changed, unchanged, none, or the reason of the failure.',
    type: 'counter',
    label: 'outcome',
    of: ({ crawl }) => by('outcome', crawl.outcomes),
  },
  {
    name: 'visit_faults_total',
    help: 'Visits since the start that failed because of an error in hydrant.',
    type: 'counter',
    of: ({ crawl }) => only(crawl.faults),
  },
  {
    name: 'visits_put_off_total',
    help: 'Visits since the start that were postponed by the limit for the IP address of their host.',
    type: 'counter',
    of: ({ crawl }) => only(crawl.put_off),
  },
  {
    name: 'pages_per_second',
    help: 'Visits per second over the last minute.',
    type: 'gauge',
    of: ({ crawl }) => only(crawl.pages_per_second),
  },
  {
    name: 'due_lag_seconds',
    help: 'How late the last thousand visits began, by quantile.',
    type: 'gauge',
    label: 'quantile',
    of: ({ crawl: { due_lag_ms: lag } }) => by('quantile', { '0.5': seconds(lag.p50), '0.95': seconds(lag.p95) }),
  },
  {
    name: 'oldest_due_seconds',
    help: 'Delay of the page that has been due longest on a host that may be visited; absent when none is due.',
    type: 'gauge',
    isTotal: true,
    of: ({ crawl }) => only(seconds(crawl.pages.oldest_due_ms)),
  },
  {
    name: 'visits_in_flight',
    help: 'Visits in progress.',
    type: 'gauge',
    of: ({ crawl }) => only(crawl.in_flight.visits),
  },
  {
    name: 'oldest_visit_seconds',
    help: 'Duration of the oldest visit in progress; absent when there is none.',
    type: 'gauge',
    of: ({ crawl }) => only(seconds(crawl.in_flight.oldest_ms)),
  },
  {
    name: 'hosts',
    help: 'Hosts: known, those with a visit in progress, and those in back-off after failures or at their own request.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ crawl }) => by('state', { ...crawl.hosts }),
  },
  {
    name: 'robots_files',
    help: 'robots.txt files that are kept, and those of them that cannot be fetched at present.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ crawl: { robots } }) => by('state', { kept: robots.copies, unreachable: robots.unreachable }),
  },
  {
    name: 'robots_refusals_total',
    help: 'Pages since the start that were not fetched because of robots.txt.',
    type: 'counter',
    of: ({ crawl }) => only(crawl.robots.refused),
  },
  {
    name: 'urls_dropped_total',
    help: 'Discovered URLs that were dropped since the database was created, by the budget that was used up.',
    type: 'counter',
    label: 'budget',
    isTotal: true,
    of: ({ crawl }) => by('budget', { ...crawl.dropped }),
  },
  {
    name: 'network_in_doubt',
    help: '1 while no host answers, so that the network of this machine may be down.',
    type: 'gauge',
    of: ({ crawl }) => only(crawl.network_doubted_since === null ? 0 : 1),
  },
  {
    name: 'judging_threads',
    help: 'Threads that read and analyze pages.',
    type: 'gauge',
    of: ({ crawl }) => only(crawl.threads.running),
  },
  {
    name: 'judging_waiting',
    help: 'Pages that wait for an analysis thread.',
    type: 'gauge',
    of: ({ crawl }) => only(crawl.threads.waiting),
  },
  {
    name: 'watches',
    help: 'Watched URLs: active, those whose latest check failed, and those that wait for quota.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ status: { watch } }) => by('state', { active: watch.active, failing: watch.failing, held: watch.held }),
  },
  {
    name: 'watch_checks_total',
    help: 'Checks of watched URLs since the database was created.',
    type: 'counter',
    isTotal: true,
    of: ({ status }) => only(status.watch.checks),
  },
  {
    name: 'watch_changes_total',
    help: 'Changes found by checks of watched URLs.',
    type: 'counter',
    isTotal: true,
    of: ({ status }) => only(status.watch.changes),
  },
  {
    name: 'watch_outcomes_total',
    help: 'Checks since the start, by outcome: baseline, changed, unchanged, none, or the reason of the failure.',
    type: 'counter',
    label: 'outcome',
    of: ({ status }) => by('outcome', status.watch.outcomes),
  },
  {
    name: 'watch_faults_total',
    help: 'Checks since the start that could not be recorded.',
    type: 'counter',
    of: ({ status }) => only(status.watch.faults),
  },
  {
    name: 'watch_late_seconds',
    help: 'How late the last thousand checks began, by quantile.',
    type: 'gauge',
    label: 'quantile',
    of: ({ status: { watch } }) =>
      by('quantile', { '0.5': seconds(watch.late_ms.p50), '0.99': seconds(watch.late_ms.p99) }),
  },
  {
    name: 'watch_oldest_due_seconds',
    help: 'Delay of the watch that has been due longest on a host that may be visited; absent when none is due.',
    type: 'gauge',
    isTotal: true,
    of: ({ status }) => only(seconds(status.watch.oldest_due_ms)),
  },
  { name: 'taps', isTotal: true, help: 'Taps.', type: 'gauge', of: ({ status }) => only(status.match.taps) },
  {
    name: 'rules',
    isTotal: true,
    help: 'Rules that are registered.',
    type: 'gauge',
    of: ({ status }) => only(status.match.rules),
  },
  {
    name: 'events',
    isTotal: true,
    help: 'Events in the log.',
    type: 'gauge',
    of: ({ status }) => only(status.match.events),
  },
  {
    name: 'sinks',
    help: 'Sinks that fail, have failed for three days, are disabled by their receiver, or are paused; and all of them.',
    type: 'gauge',
    label: 'state',
    isTotal: true,
    of: ({ status: { sinks } }) => (sinks === undefined ? [] : by('state', sinkStates(sinks))),
  },
  {
    name: 'sink_messages_sent_total',
    help: 'Messages that sinks have delivered.',
    type: 'counter',
    isTotal: true,
    of: ({ status }) => only(status.sinks?.sent ?? null),
  },
  {
    name: 'sink_events_dropped_total',
    help: 'Events that were deleted from the logs before a sink had sent them, and parked messages that newer ones pushed out.',
    type: 'counter',
    isTotal: true,
    of: ({ status }) => only(status.sinks?.dropped ?? null),
  },
  {
    name: 'sink_messages_parked',
    help: 'Messages that their receivers refused.',
    type: 'gauge',
    isTotal: true,
    of: ({ status }) => only(status.sinks?.parked ?? null),
  },
  {
    name: 'sink_events_behind',
    help: 'Events and messages that sinks have not sent yet.',
    type: 'gauge',
    isTotal: true,
    of: ({ status }) => only(status.sinks?.behind ?? null),
  },
  { name: 'streams_open', help: 'Open streams.', type: 'gauge', of: ({ status }) => only(status.stream.open) },
  {
    name: 'stream_buffered_bytes',
    help: 'Bytes buffered for clients that do not read.',
    type: 'gauge',
    of: ({ status }) => only(status.stream.buffered_bytes),
  },
];
