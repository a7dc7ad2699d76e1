interface Shape {
  name: string
  help: string
  labels: readonly string[]
  bucketsSeconds: readonly number[]
}

interface Series {
  labels: string
  /** One count per bucket, not cumulative. */
  counts: number[]
  count: number
  sum: number
}

/**
 * A histogram for events of every request. prom-client sorts and joins the labels at each
 * observation, which was 3 % of a small response. Here the labels are joined in their declared
 * order, and everything else waits until the metrics are read.
 */
export class LightHistogram {
  readonly #shape: Shape
  readonly #series = new Map<string, Series>()

  constructor(shape: Shape) {
    this.#shape = shape
  }

  observe(seconds: number, values: Readonly<Record<string, string | number>> = {}): void {
    const series = this.#seriesOf(values)
    const bucket = this.#shape.bucketsSeconds.findIndex((bound) => seconds <= bound)
    if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.count += 1
    series.sum += seconds
  }

  /** Returns the series in the text format of Prometheus. */
  text(): string {
    const { name, help } = this.#shape
    return [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...[...this.#series.values()].flatMap((series) => this.#lines(series)),
      '',
    ].join('\n')
  }

  #seriesOf(values: Readonly<Record<string, string | number>>): Series {
    const { labels, bucketsSeconds } = this.#shape
    let key = ''
    for (const label of labels) key += `${label}="${values[label] ?? ''}",`
    const existing = this.#series.get(key)
    if (existing) return existing
    const series = { labels: key, counts: bucketsSeconds.map(() => 0), count: 0, sum: 0 }
    this.#series.set(key, series)
    return series
  }

  #lines({ labels, counts, count, sum }: Series): string[] {
    const { name, bucketsSeconds } = this.#shape
    const own = labels === '' ? '' : `{${labels.slice(0, -1)}}`
    let below = 0
    const buckets = bucketsSeconds.map(
      (bound, index) => `${name}_bucket{${labels}le="${bound}"} ${(below += counts[index] ?? 0)}`,
    )
    return [
      ...buckets,
      `${name}_bucket{${labels}le="+Inf"} ${count}`,
      `${name}_sum${own} ${sum}`,
      `${name}_count${own} ${count}`,
    ]
  }
}
