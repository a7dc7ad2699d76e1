import { type AnyVariables, type Client, type TypedDocumentNode, createRequest } from '@urql/core'
import { type ShallowRef, shallowReactive, shallowRef } from 'vue'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'
import { behindFrame } from '../ui/first-frame.ts'

export interface Connection<Row> {
  nodes: Row[]
  totalCount: number
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}

export interface Reading<Answer, Row> {
  client: Client
  document: TypedDocumentNode<Answer, AnyVariables>
  variables: object
  /** Rows of a page, and of the first one, which somebody is waiting for. */
  first: number
  head?: number
  /**
   * Of the first page, where its answer has come before anybody asked: it is drawn, and asked for
   * behind that.
   */
  known?: Answer | null
  pick: (answer: Answer) => Connection<Row>
}

interface Page<Row> {
  after: string | null
  found: Connection<Row> | null
  /** Out of sight while something changed: read again when it comes into view. */
  isStale?: boolean
  reread(): void
  close(): void
}

/**
 * The open pages of one list. Each is a live reading of its own, so loading more never repeats what
 * is there; when a page ends elsewhere after a change, the pages behind it are opened anew at the
 * right cursor.
 */
export class Pages<Answer, Row> {
  readonly fault: ShallowRef<FaultWords | null> = shallowRef(null)
  /**
   * What was found last. While other variables load, the old rows stay: a list that blinks is
   * harder to use than a late one.
   */
  readonly found: ShallowRef<Connection<Row>[]> = shallowRef([])
  readonly #pages = shallowReactive<Page<Row>[]>([])
  #reading: Reading<Answer, Row> | null = null
  #wanted = 1
  #view: { first: number; last: number } | null = null

  get isLoadingMore(): boolean {
    return this.#pages.length > 1 && this.#pages.at(-1)?.found === null
  }

  begin(reading: Reading<Answer, Row>) {
    this.close()
    this.#reading = reading
    this.#wanted = this.#inView()
    this.#open(reading, 0, null)
  }

  loadMore() {
    if (!this.#pages.at(-1)?.found?.pageInfo.hasNextPage) return
    this.#wanted = this.#pages.length + 1
    this.#openNext()
  }

  /**
   * Of a list that draws only what is in sight: these rows are. Pages are opened up to there, and
   * none is read again beyond.
   */
  show(first: number, last: number) {
    this.#view = { first, last }
    for (const [index, page] of this.#pages.entries()) {
      if (!page.isStale || !this.#isInView(index)) continue
      this.#pages[index] = { ...page, isStale: false }
      page.reread()
    }
    this.#wanted = this.#inView()
    if (this.#pages.length < this.#wanted) this.#openNext()
  }

  reread() {
    for (const [index, page] of this.#pages.entries()) {
      if (this.#isInView(index)) page.reread()
      else this.#pages[index] = { ...page, isStale: true }
    }
  }

  close() {
    for (const page of this.#pages.splice(0)) page.close()
  }

  /** How many pages reach to the end of what is in sight. */
  #inView(): number {
    return this.#view ? Math.max(1, this.#pageOf(this.#view.last) + 1) : 1
  }

  /** The first page is always: it tells how many rows there are. */
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
      reread: () => void ask('network-only').toPromise(),
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
    const known = index === 0 ? reading.known : null
    if (!known) return follow()
    this.#settle(page, pick(known))
    behindFrame(follow)
  }

  #settle(page: Page<Row>, found: Connection<Row>) {
    const index = this.#pages.findIndex(({ close }) => close === page.close)
    if (index < 0) return
    this.#pages[index] = { ...page, found }
    const { endCursor } = found.pageInfo
    if (this.#pages[index + 1]?.after !== endCursor)
      for (const late of this.#pages.splice(index + 1)) late.close()
    const isShort = this.#pages.length === index + 1 && this.#pages.length < this.#wanted
    if (isShort) this.#openNext()
    this.#publish()
  }

  #publish() {
    const found = this.#pages.flatMap((page) => (page.found ? [page.found] : []))
    const isWhole = found.length === this.#pages.length
    // Rows that are only being read again do not leave the screen meanwhile.
    if (isWhole || found.length >= this.found.value.length) this.found.value = found
  }
}
