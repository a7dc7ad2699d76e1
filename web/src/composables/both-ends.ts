import { computed } from 'vue'
import { Pages, type Reading } from './pages.ts'

interface Begun<Answer, Row> {
  reading: Reading<Answer, Row>
  /** The same rows in the opposite order; null where the list is read from its head only. */
  turned: Reading<Answer, Row> | null
}

/**
 * A long list of which any part may be looked at. A cursor only leads on from where one is, so what
 * is near the end is read from there: in the opposite order, which is begun when it is first looked
 * at. Nobody walks past more than half of the list.
 */
export class BothEnds<Answer, Row> {
  readonly head = new Pages<Answer, Row>()
  readonly #tail = new Pages<Answer, Row>()
  #begun: Begun<Answer, Row> | null = null
  #readsTail = false

  /** By their place in the list; what is not loaded yet is left out. */
  readonly rows = computed((): Row[] => {
    const rows = this.head.found.value.flatMap((page) => page.nodes)
    const ends = this.#tail.found.value
    const total = ends[0]?.totalCount ?? 0
    for (const [at, row] of ends.flatMap((page) => page.nodes).entries())
      rows[total - 1 - at] ??= row
    return rows
  })

  readonly fault = computed(() => this.head.fault.value ?? this.#tail.fault.value)

  begin(begun: Begun<Answer, Row>) {
    this.#begun = begun
    this.#forgetTail()
    this.head.begin(begun.reading)
  }

  show(first: number, last: number) {
    const [start] = this.head.found.value
    const loaded = this.head.found.value.reduce((sum, page) => sum + page.nodes.length, 0)
    const total = start?.totalCount ?? 0
    const isNearerToEnd = last >= loaded && total - first < last - loaded
    const turned = this.#begun?.turned
    if (!isNearerToEnd || !turned) return this.head.show(first, last)
    this.head.show(0, 0)
    this.#tail.show(total - 1 - last, total - 1 - first)
    if (!this.#readsTail) this.#tail.begin(turned)
    this.#readsTail = true
  }

  reread() {
    this.head.reread()
    if (this.#readsTail) this.#tail.reread()
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
