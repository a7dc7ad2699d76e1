import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { type Ref, computed, onScopeDispose, watch } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { useConsole } from '../app/console.ts'
import { type Connection, Pages } from './pages.ts'

interface Asked<Answer, Row, Variables extends object> {
  document: TypedDocumentNode<Answer, Variables & { first: number; after?: string | null }>
  variables: Ref<Variables>
  pick: (answer: Answer) => Connection<Row>
  /** A change of one of these kinds makes the list read again. */
  kinds: readonly ChangeKind[]
  first?: number
}

/** A list that stays true while it is on screen: read again on changes, begun anew when its variables change. */
export function useConnection<Answer, Row, Variables extends object>({
  document,
  variables,
  pick,
  kinds,
  first = 50,
}: Asked<Answer, Row, Variables>) {
  const berth = useConsole()
  const pages = new Pages<Answer, Row>()
  // The type above has checked that document and variables fit; what remains is any document with any variables.
  const untied = document as TypedDocumentNode<Answer, AnyVariables>

  watch(
    () => JSON.stringify(variables.value),
    () => pages.begin({ client: berth.client.value, document: untied, variables: variables.value, first, pick }),
    { immediate: true },
  )
  onScopeDispose(() => pages.close())
  onScopeDispose(berth.feed.listen(kinds, () => pages.reread()))

  const total = computed(() => pages.found.value[0]?.totalCount ?? 0)
  const loading = computed(() => pages.found.value.length === 0 && !pages.fault.value)
  const hasMore = computed(() => pages.found.value.at(-1)?.pageInfo.hasNextPage ?? false)
  const loadingMore = computed(() => pages.isLoadingMore)
  const loadMore = () => pages.loadMore()
  return {
    rows: computed(() => pages.found.value.flatMap((page) => page.nodes)),
    total,
    loading,
    hasMore,
    loadingMore,
    loadMore,
    /** All that a UiTable needs beside the rows, for `v-bind`. */
    paging: computed(() => ({
      total: total.value,
      loading: loading.value,
      hasMore: hasMore.value,
      loadingMore: loadingMore.value,
      onMore: loadMore,
    })),
    /** All that a UiLongTable needs beside the rows. */
    looking: computed(() => ({
      total: total.value,
      loading: loading.value,
      onLook: ({ first, last }: { first: number; last: number }) => pages.show(first, last),
    })),
    fault: pages.fault,
    refresh: () => pages.reread(),
  }
}
