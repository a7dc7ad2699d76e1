import { type AnyVariables, type Client, type TypedDocumentNode, createRequest } from '@urql/core'
import { type ShallowRef, shallowReactive, shallowRef } from 'vue'
import { type FaultMessage, faultFromError } from '../api/fault-message.ts'
import { afterPaint } from '../ui/first-frame.ts'

export interface Connection<Row> {
  nodes: Row[]
  totalCount: number
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}

export interface Reading<Answer, Row> {
  client: Client
  document: TypedDocumentNode<Answer, AnyVariables>
  variables: object
  /** Rows of a page. `head` is that of the first page, when it is smaller to arrive sooner. */
  first: number
  head?: number
  /** The prefetched result of the first page. It is drawn at once, and fetched again afterwards. */
  prefetched?: Answer | null
  pick: (answer: Answer) => Connection<Row>
}

interface Page<Row> {
  after: string | null
  found: Connection<Row> | null
  /** The page was out of view during a change. It refetches when it comes into view. */
  isStale?: boolean
  refetch(): void
  close(): void
}

/**
 * The loaded pages of one list. Each page is a live query, so loading more repeats no row. When a
 * page ends at another cursor after a change, the later pages are fetched again from that cursor.
 */
export class Pages<Answer, Row> {
  readonly fault: ShallowRef<FaultMessage | null> = shallowRef(null)
  /**
   * The last results. The old rows stay while new variables load, so that the list never blinks.
   */
  readonly found: ShallowRef<Connection<Row>[]> = shallowRef([])
  readonly #pages = shallowReactive<Page<Row>[]>([])
  #reading: Reading<Answer, Row> | null = null
  #requestedPages = 1
  #view: { first: number; last: number } | null = null

  get isLoadingMore(): boolean {
    return this.#pages.length > 1 && this.#pages.at(-1)?.found === null
  }

  begin(reading: Reading<Answer, Row>) {
    this.close()
    this.#reading = reading
    this.#requestedPages = this.#pagesInView()
    this.#open(reading, 0, null)
  }

  loadMore() {
    if (!this.#pages.at(-1)?.found?.pageInfo.hasNextPage) return
    this.#requestedPages = this.#pages.length + 1
    this.#openNext()
  }

  /**
   * Sets the rows in view. Pages are loaded up to them, and pages out of view are not refetched.
   */
  show(first: number, last: number) {
    this.#view = { first, last }
    for (const [index, page] of this.#pages.entries()) {
      if (!page.isStale || !this.#isInView(index)) continue
      this.#pages[index] = { ...page, isStale: false }
      page.refetch()
    }
    this.#requestedPages = this.#pagesInView()
    if (this.#pages.length < this.#requestedPages) this.#openNext()
  }

  refetch() {
    for (const [index, page] of this.#pages.entries()) {
      if (this.#isInView(index)) page.refetch()
      else this.#pages[index] = { ...page, isStale: true }
    }
  }

  close() {
    for (const page of this.#pages.splice(0)) page.close()
  }

  /** Returns how many pages cover the rows in view. */
  #pagesInView(): number {
    return this.#view ? Math.max(1, this.#pageOf(this.#view.last) + 1) : 1
  }

  /** The first page always counts as in view, because it has the total count. */
  #isInView(index: number): boolean {
    if (!this.#view || index === 0) return true
    return index >= this.#pageOf(this.#view.first) && index <= this.#pageOf(this.#view.last)
  }

  #pageOf(row: number): number {
    const { first, head = first } = this.#reading ?? { first: 1 }
    return row < head ? 0 : 1 + Math.floor((row - head) / first)
  }

  #openNext() {
    const last = this.#pages.at(-1)?.found?.pageInfo
    if (last?.hasNextPage && this.#reading)
      this.#open(this.#reading, this.#pages.length, last.endCursor)
  }

  #open(reading: Reading<Answer, Row>, index: number, after: string | null) {
    const { client, document, variables, first, head = first, pick } = reading
    const request = createRequest(document, {
      ...variables,
      first: index === 0 ? head : first,
      after,
    })
    const ask = (requestPolicy: 'cache-and-network' | 'network-only') =>
      client.executeQuery(request, { requestPolicy })
    let source: { unsubscribe(): void } | null = null
    let isOpen = true
    const close = () => {
      isOpen = false
      source?.unsubscribe()
    }
    const page: Page<Row> = {
      after,
      found: null,
      refetch: () => void ask('network-only').toPromise(),
      close,
    }
    this.#pages[index] = page
    const follow = () => {
      if (!isOpen) return
      source = ask('cache-and-network').subscribe(({ data, error }) => {
        this.fault.value = error ? faultFromError(error) : null
        if (data) this.#settle(page, pick(data))
      })
    }
    const prefetched = index === 0 ? reading.prefetched : null
    if (!prefetched) return follow()
    this.#settle(page, pick(prefetched))
    afterPaint(follow)
  }

  #settle(page: Page<Row>, found: Connection<Row>) {
    const index = this.#pages.findIndex(({ close }) => close === page.close)
    if (index < 0) return
    this.#pages[index] = { ...page, found }
    const { endCursor } = found.pageInfo
    if (this.#pages[index + 1]?.after !== endCursor)
      for (const late of this.#pages.splice(index + 1)) late.close()
    const isShort = this.#pages.length === index + 1 && this.#pages.length < this.#requestedPages
    if (isShort) this.#openNext()
    this.#publish()
  }

  #publish() {
    const found = this.#pages.flatMap((page) => (page.found ? [page.found] : []))
    const isWhole = found.length === this.#pages.length
    // Rows stay on screen while they are only being refetched.
    if (isWhole || found.length >= this.found.value.length) this.found.value = found
  }
}
