import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { type Figure, figures, type MetricsFacts } from './figures.ts';

/**
 * The figures of `hydrant status` and `hydrant crawl status` for Prometheus: read when they are asked for, from those
 * who keep them, and nothing is counted twice. In comes a way to read the two; out goes text.
 *
 * No label has a host, a URL or a rule for its value: hosts have no bound, and who reads the metrics need not learn
 * what is crawled. What a label may be is a word of our own.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #read: () => Promise<MetricsFacts>;
  readonly #figures = figures.map((figure) => ({ figure, metric: metricOf(figure, this.#registry) }));

  constructor(read: () => Promise<MetricsFacts>) {
    this.#read = read;
    // Of the process: memory, processor time, open files, delays of the event loop, garbage collection.
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** One reading for all of them, so that they are of one moment. */
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
  // Without a label it stands at 0 from the beginning, which is a figure, too.
  if (value === null) metric.remove({ ...labels });
  else metric.inc({ ...labels }, value);
}
