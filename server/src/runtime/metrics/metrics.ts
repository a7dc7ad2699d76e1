import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { LightHistogram } from './light-histogram.ts'

type Labels = Readonly<Record<string, string | number>>

export interface Metrics {
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { add(labels?: Labels, amount?: number): void }
  /**
   * Declares a gauge. `read` is called when the metrics are read, so the value need not be kept up
   * to date.
   */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  histogram(
    name: string,
    help: string,
    options?: { labels?: readonly string[]; bucketsSeconds?: readonly number[] },
  ): { observe(seconds: number, labels?: Labels): void }
  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

const defaultBucketsSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/**
 * Creates a registry per composition, so that two Berths in one process (in tests) count
 * separately.
 */
export function createMetrics({ withProcess = true } = {}): Metrics {
  const registry = new Registry()
  if (withProcess) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const light: LightHistogram[] = []
  return {
    counter(name, help, labels = []) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers })
      return { add: (values = {}, amount = 1) => counter.inc({ ...values }, amount) }
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        collect: async () => gauge.set(await read()),
      })
    },
    histogram(name, help, { labels = [], bucketsSeconds = defaultBucketsSeconds } = {}) {
      const histogram = new LightHistogram({ name, help, labels, bucketsSeconds })
      light.push(histogram)
      return histogram
    },
    text: async () => [await registry.metrics(), ...light.map((each) => each.text())].join('\n'),
    contentType: registry.contentType,
  }
}
