import { computed } from 'vue'
import { Pages, type Reading } from './pages.ts'

interface Readings<Answer, Row> {
  reading: Reading<Answer, Row>
  /** The same rows in the opposite order; null when the list is read from its head only. */
  opposite: Reading<Answer, Row> | null
}

/**
 * The rows of a list of the server for a table, which can scroll to any of them. A cursor only
 * leads on from the last loaded row. Rows near the end are therefore read in the opposite order,
 * beginning when they are first shown. So at most half of the list is loaded to reach a row. A list
 * without an order is read from its head only.
 */
export class TwoEndedList<Answer, Row> {
  readonly head = new Pages<Answer, Row>()
  readonly #tail = new Pages<Answer, Row>()
  #readings: Readings<Answer, Row> | null = null
  #readsTail = false

  /** The rows at their index in the list. A row that is not loaded yet is a gap. */
  readonly rows = computed((): Row[] => {
    const rows = this.head.found.value.flatMap((page) => page.nodes)
    const ends = this.#tail.found.value
    const total = ends[0]?.totalCount ?? 0
    for (const [at, row] of ends.flatMap((page) => page.nodes).entries())
      rows[total - 1 - at] ??= row
    return rows
  })

  readonly fault = computed(() => this.head.fault.value ?? this.#tail.fault.value)

  begin(readings: Readings<Answer, Row>) {
    this.#readings = readings
    this.#forgetTail()
    this.head.begin(readings.reading)
  }

  show(first: number, last: number) {
    const [start] = this.head.found.value
    const loaded = this.head.found.value.reduce((sum, page) => sum + page.nodes.length, 0)
    const total = start?.totalCount ?? 0
    const isNearerToEnd = last >= loaded && total - first < last - loaded
    const opposite = this.#readings?.opposite
    if (!isNearerToEnd || !opposite) return this.head.show(first, last)
    this.head.show(0, 0)
    this.#tail.show(total - 1 - last, total - 1 - first)
    if (!this.#readsTail) this.#tail.begin(opposite)
    this.#readsTail = true
  }

  refetch() {
    this.head.refetch()
    if (this.#readsTail) this.#tail.refetch()
  }

  close() {
    this.head.close()
    this.#forgetTail()
  }

  #forgetTail() {
    this.#readsTail = false
    this.#tail.close()
    this.#tail.found.value = []
    this.#tail.fault.value = null
  }
}
