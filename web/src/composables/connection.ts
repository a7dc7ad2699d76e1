import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { type Ref, computed, onScopeDispose, watch } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { useConsole } from '../session/console.ts'
import { comeOf } from '../session/early.ts'
import { BothEnds } from './both-ends.ts'
import type { Connection } from './pages.ts'

interface Asked<Answer, Row, Variables extends object> {
  document: TypedDocumentNode<Answer, Variables & { first: number; after?: string | null }>
  variables: Ref<Variables>
  /**
   * Those that ask for the opposite order, of a list that is long enough to be read from its end as
   * well.
   */
  turned?: Ref<Variables>
  pick: (answer: Answer) => Connection<Row>
  /** A change of one of these kinds makes the list read again. */
  kinds: readonly ChangeKind[]
  first?: number
  /** Of the first page, where that is to be there sooner than the others. */
  head?: number
}

/**
 * A list that stays true while it is on screen: read again on changes, begun anew when its
 * variables change.
 */
export function useConnection<Answer, Row, Variables extends object>({
  document,
  variables,
  turned,
  pick,
  kinds,
  ...sizes
}: Asked<Answer, Row, Variables>) {
  const berth = useConsole()
  const ends = new BothEnds<Answer, Row>()
  const pages = ends.head
  // The type above has checked that document and variables fit; what remains is any document with
  // any variables.
  const untied = document as TypedDocumentNode<Answer, AnyVariables>

  watch(
    () => JSON.stringify(variables.value),
    () => {
      const reading = {
        client: berth.client.value,
        document: untied,
        variables: variables.value,
        first: 50,
        ...sizes,
        pick,
      }
      const known = comeOf(document, {
        ...variables.value,
        first: sizes.head ?? reading.first,
        after: null,
      })
      ends.begin({
        reading: { ...reading, known },
        turned: turned ? { ...reading, variables: turned.value } : null,
      })
    },
    { immediate: true },
  )
  onScopeDispose(() => ends.close())
  onScopeDispose(berth.feed.listen(kinds, () => ends.reread()))

  const total = computed(() => pages.found.value[0]?.totalCount ?? 0)
  const loading = computed(() => pages.found.value.length === 0 && !pages.fault.value)
  const failed = computed(() => pages.found.value.length === 0 && pages.fault.value !== null)
  const hasMore = computed(() => pages.found.value.at(-1)?.pageInfo.hasNextPage ?? false)
  const loadingMore = computed(() => pages.isLoadingMore)
  const loadMore = () => pages.loadMore()
  return {
    /** All that are loaded. */
    rows: computed(() => ends.rows.value.filter(() => true)),
    total,
    loading,
    failed,
    hasMore,
    loadingMore,
    loadMore,
    /** All that a UiTable needs beside the rows, for `v-bind`. */
    paging: computed(() => ({
      total: total.value,
      loading: loading.value,
      failed: failed.value,
      hasMore: hasMore.value,
      loadingMore: loadingMore.value,
      onMore: loadMore,
    })),
    /** All that a UiLongTable needs. */
    looking: computed(() => ({
      rows: ends.rows.value,
      total: total.value,
      loading: loading.value,
      failed: failed.value,
      onLook: ({ first, last }: { first: number; last: number }) => ends.show(first, last),
    })),
    fault: ends.fault,
    refresh: () => ends.reread(),
  }
}
