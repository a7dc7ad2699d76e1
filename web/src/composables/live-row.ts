import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useQuery } from '@urql/vue'
import { type Ref, computed, onScopeDispose } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultMessage, faultFromError } from '../api/fault-message.ts'
import { useConsole } from '../session/console.ts'

interface LiveRowRequest<Answer, Row, Variables extends AnyVariables> {
  document: TypedDocumentNode<Answer, Variables>
  /** The query is paused while they are null. */
  variables: Ref<Variables | null>
  pick: (answer: Answer) => Row | null
  /** A change of one of these kinds makes it refetch. */
  kinds: readonly ChangeKind[]
  /** Never shows a cached result, where an outdated one would mislead. */
  isAlwaysFresh?: boolean
}

/** The state of a query whose result is one row. */
export interface LiveRow<Row> {
  row: Ref<Row | null>
  fault: Ref<FaultMessage | null>
  /** The first result has not arrived yet. */
  loading: Ref<boolean>
  refresh: () => void
}

/** Reads one row and keeps it current while it is on screen. */
export function useLiveRow<Answer, Row, Variables extends AnyVariables>({
  document,
  variables,
  pick,
  kinds,
  isAlwaysFresh = false,
}: LiveRowRequest<Answer, Row, Variables>) {
  const berth = useConsole()
  const { data, error, fetching, executeQuery } = useQuery<Answer, AnyVariables>({
    // The type above already checks that document and variables match.
    query: document as TypedDocumentNode<Answer, AnyVariables>,
    variables: computed(() => variables.value ?? {}),
    requestPolicy: isAlwaysFresh ? 'network-only' : 'cache-and-network',
    pause: computed(() => variables.value === null),
  })
  const refresh = () => {
    if (variables.value !== null) void executeQuery({ requestPolicy: 'network-only' })
  }
  onScopeDispose(berth.feed.listen(kinds, refresh))
  const row = computed(() => (data.value ? pick(data.value) : null))
  return {
    row,
    fault: computed(() => (error.value ? faultFromError(error.value) : null)),
    loading: computed(() => fetching.value && row.value === null),
    /** True during refetches too. */
    fetching,
    refresh,
  }
}
