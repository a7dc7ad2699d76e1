import type { AnyVariables, Client, TypedDocumentNode } from '@urql/core'
import { type Ref, computed, onScopeDispose, watch } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { useConsole } from '../session/console.ts'
import { prefetchedAnswer } from '../session/prefetched.ts'
import { TwoEndedList } from './two-ended-list.ts'
import type { Connection } from './pages.ts'

interface ListRequest<Answer, Row, Variables extends object> {
  document: TypedDocumentNode<Answer, Variables & { first: number; after?: string | null }>
  variables: Ref<Variables>
  pick: (answer: Answer) => Connection<Row>
  /** A change of one of these kinds makes the list refetch. */
  kinds: readonly ChangeKind[]
  first?: number
  /** Rows of the first page, when it is smaller to arrive sooner. */
  head?: number
}

/**
 * Reads a list and keeps it current while it is on screen. It refetches after changes, and starts
 * again when its variables change.
 */
export function useConnection<Answer, Row, Variables extends object>(
  request: ListRequest<Answer, Row, Variables>,
) {
  const berth = useConsole()
  const list = new TwoEndedList<Answer, Row>()
  watch(
    () => JSON.stringify(request.variables.value),
    () => list.begin(readingsOf(request, berth.client.value)),
    { immediate: true },
  )
  onScopeDispose(() => list.close())
  onScopeDispose(berth.feed.listen(request.kinds, () => list.refetch()))
  return { ...shownParts(list), fault: list.fault, refresh: () => list.refetch() }
}

function readingsOf<Answer, Row, Variables extends object>(
  { document, variables, pick, first = 50, head }: ListRequest<Answer, Row, Variables>,
  client: Client,
) {
  const listVariables = variables.value
  const reading = {
    client,
    // The type of the request already checks that document and variables match.
    document: document as TypedDocumentNode<Answer, AnyVariables>,
    variables: listVariables,
    first,
    ...(head === undefined ? {} : { head }),
    pick,
  }
  const prefetched = prefetchedAnswer(document, {
    ...listVariables,
    first: head ?? first,
    after: null,
  })
  const opposite = inOppositeOrder(listVariables)
  return {
    reading: { ...reading, prefetched },
    opposite: opposite && { ...reading, variables: opposite },
  }
}

/** Returns the variables with the opposite order; null when the list has no order. */
function inOppositeOrder(variables: object): object | null {
  if (!('orderBy' in variables)) return null
  // Every `orderBy` of the API is a field and a direction.
  const { by, direction } = variables.orderBy as { by: string; direction: 'asc' | 'desc' }
  return { ...variables, orderBy: { by, direction: direction === 'asc' ? 'desc' : 'asc' } }
}

function shownParts<Answer, Row>(list: TwoEndedList<Answer, Row>) {
  const pages = list.head
  const state = computed(() => ({
    total: pages.found.value[0]?.totalCount ?? 0,
    loading: pages.found.value.length === 0 && !pages.fault.value,
    failed: pages.found.value.length === 0 && pages.fault.value !== null,
  }))
  const hasMore = computed(() => pages.found.value.at(-1)?.pageInfo.hasNextPage ?? false)
  const loadingMore = computed(() => pages.isLoadingMore)
  const loadMore = () => pages.loadMore()
  /** The loaded rows, without the gaps between them. */
  const rows = computed(() => list.rows.value.filter(() => true))
  return {
    rows,
    total: computed(() => state.value.total),
    loading: computed(() => state.value.loading),
    failed: computed(() => state.value.failed),
    hasMore,
    loadingMore,
    loadMore,
    /** The properties of a UiTable, for `v-bind`. */
    table: computed(() => ({
      ...state.value,
      rows: rows.value,
      hasMore: hasMore.value,
      loadingMore: loadingMore.value,
      onMore: loadMore,
    })),
    /** The properties of a UiLongTable, for `v-bind`. */
    longTable: computed(() => ({
      ...state.value,
      rows: list.rows.value,
      onView: ({ first, last }: { first: number; last: number }) => list.show(first, last),
    })),
  }
}
