import { type AnyVariables, type Client, type TypedDocumentNode, createRequest } from '@urql/core'
import { type ShallowRef, shallowReactive, shallowRef } from 'vue'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'

export interface Connection<Row> {
  nodes: Row[]
  totalCount: number
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}

export interface Reading<Answer, Row> {
  client: Client
  document: TypedDocumentNode<Answer, AnyVariables>
  variables: object
  first: number
  pick: (answer: Answer) => Connection<Row>
}

interface Page<Row> {
  after: string | null
  found: Connection<Row> | null
  reread(): void
  close(): void
}

/**
 * The open pages of one list. Each is a live reading of its own, so loading more never repeats what is there; when a page
 * ends elsewhere after a change, the pages behind it are opened anew at the right cursor.
 */
export class Pages<Answer, Row> {
  readonly fault: ShallowRef<FaultWords | null> = shallowRef(null)
  /** What was found last. While other variables load, the old rows stay: a list that blinks is harder to use than a late one. */
  readonly found: ShallowRef<Connection<Row>[]> = shallowRef([])
  readonly #pages = shallowReactive<Page<Row>[]>([])
  #reading: Reading<Answer, Row> | null = null
  #wanted = 1

  get isLoadingMore(): boolean {
    return this.#pages.length > 1 && this.#pages.at(-1)?.found === null
  }

  begin(reading: Reading<Answer, Row>) {
    this.close()
    this.#reading = reading
    this.#wanted = 1
    this.#open(reading, 0, null)
  }

  loadMore() {
    const last = this.#pages.at(-1)?.found?.pageInfo
    if (!last?.hasNextPage || !this.#reading) return
    this.#wanted = this.#pages.length + 1
    this.#open(this.#reading, this.#pages.length, last.endCursor)
  }

  reread() {
    for (const page of this.#pages) page.reread()
  }

  close() {
    for (const page of this.#pages.splice(0)) page.close()
  }

  #open(reading: Reading<Answer, Row>, index: number, after: string | null) {
    const { client, document, variables, first, pick } = reading
    const request = createRequest(document, { ...variables, first, after })
    const ask = (requestPolicy: 'cache-and-network' | 'network-only') => client.executeQuery(request, { requestPolicy })
    const page: Page<Row> = { after, found: null, reread: () => void ask('network-only').toPromise(), close: () => source.unsubscribe() }
    this.#pages[index] = page
    const source = ask('cache-and-network').subscribe(({ data, error }) => {
      this.fault.value = error ? faultFromError(error) : null
      if (data) this.#settle(reading, page, pick(data))
    })
  }

  #settle(reading: Reading<Answer, Row>, page: Page<Row>, found: Connection<Row>) {
    const index = this.#pages.findIndex(({ close }) => close === page.close)
    if (index < 0) return
    this.#pages[index] = { ...page, found }
    const { endCursor, hasNextPage } = found.pageInfo
    if (this.#pages[index + 1]?.after !== endCursor) for (const late of this.#pages.splice(index + 1)) late.close()
    const isShort = this.#pages.length === index + 1 && this.#pages.length < this.#wanted
    if (isShort && hasNextPage) this.#open(reading, index + 1, endCursor)
    this.#publish()
  }

  #publish() {
    const found = this.#pages.flatMap((page) => (page.found ? [page.found] : []))
    const isWhole = found.length === this.#pages.length
    // Rows that are only being read again do not leave the screen meanwhile.
    if (isWhole || found.length >= this.found.value.length) this.found.value = found
  }
}
