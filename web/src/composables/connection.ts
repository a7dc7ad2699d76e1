import { type AnyVariables, type TypedDocumentNode, createRequest } from '@urql/core'
import { type Ref, computed, onScopeDispose, shallowReactive, shallowRef, watch } from 'vue'
import { useConsole } from '../app/console.ts'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'

interface Connection<Row> {
  nodes: Row[]
  totalCount: number
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
}
interface Asked<Answer, Row, Variables extends object> {
  document: TypedDocumentNode<Answer, Variables & { first: number; after?: string | null }>
  variables: Ref<Variables>
  pick: (answer: Answer) => Connection<Row>
  kinds: readonly ChangeKind[]
  first?: number
}
interface Page<Row> {
  after: string | null
  found: Connection<Row> | null
  reread(): void
  close(): void
}

/**
 * A list that stays true while it is open. Each page is a live reading of its own, so loading more never repeats what is
 * there; when an earlier page ends elsewhere after a change, the pages behind it are opened anew at the right cursor.
 */
export function useConnection<Answer, Row, Variables extends object>(asked: Asked<Answer, Row, Variables>) {
  const berth = useConsole()
  const pages = shallowReactive<Page<Row>[]>([])
  const fault = shallowRef<FaultWords | null>(null)
  // While new variables load, the old rows stay: a filter that blinks is harder to use than one that is a moment late.
  const kept = shallowRef<Connection<Row>[]>([])

  function open(index: number, after: string | null) {
    const variables = { ...asked.variables.value, first: asked.first ?? 50, after }
    const request = createRequest(asked.document as TypedDocumentNode<Answer, AnyVariables>, variables) // the spread has lost that both parts fit
    const client = berth.client.value
    const ask = (requestPolicy: 'cache-and-network' | 'network-only') => client.executeQuery(request, { requestPolicy })
    const page: Page<Row> = { after, found: null, reread: () => void ask('network-only').toPromise(), close: () => source.unsubscribe() }
    pages[index] = page
    const source = ask('cache-and-network').subscribe(({ data, error }) => {
      fault.value = error ? faultFromError(error) : null
      if (data) settle(page, asked.pick(data))
    })
  }

  function settle(page: Page<Row>, found: Connection<Row>) {
    const index = pages.findIndex((candidate) => candidate === page || candidate.after === page.after)
    if (index < 0) return
    pages[index] = { ...page, found }
    kept.value = pages.flatMap((one) => (one.found ? [one.found] : []))
    const behind = pages[index + 1]
    if (!behind || behind.after === found.pageInfo.endCursor) return
    for (const page of pages.splice(index + 1)) page.close()
    if (found.pageInfo.hasNextPage) open(index + 1, found.pageInfo.endCursor)
  }

  function closeAll() {
    for (const page of pages.splice(0)) page.close()
  }
  function refresh() {
    for (const page of pages) page.reread()
  }
  function loadMore() {
    const last = pages.at(-1)?.found?.pageInfo
    if (last?.hasNextPage) open(pages.length, last.endCursor)
  }

  watch(
    () => JSON.stringify(asked.variables.value),
    () => {
      closeAll()
      open(0, null)
    },
    { immediate: true },
  )
  onScopeDispose(closeAll)
  onScopeDispose(berth.feed.listen(asked.kinds, refresh))

  return {
    rows: computed(() => kept.value.flatMap((page) => page.nodes)),
    total: computed(() => kept.value[0]?.totalCount ?? 0),
    hasMore: computed(() => kept.value.at(-1)?.pageInfo.hasNextPage ?? false),
    loading: computed(() => kept.value.length === 0 && !fault.value),
    loadingMore: computed(() => pages.length > 1 && pages.at(-1)?.found === null),
    fault,
    loadMore,
    refresh,
  }
}
