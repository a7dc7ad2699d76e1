import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useQuery } from '@urql/vue'
import { type Ref, computed, onScopeDispose } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'
import { useConsole } from '../session/console.ts'

interface Asked<Answer, Row, Variables extends AnyVariables> {
  document: TypedDocumentNode<Answer, Variables>
  /** Null as long as it is not known what to ask for. */
  variables: Ref<Variables | null>
  pick: (answer: Answer) => Row | null
  /** A change of one of these kinds makes it read again. */
  kinds: readonly ChangeKind[]
  /** Shows nothing until the server answers, where a kept answer would mislead. */
  isAlwaysFresh?: boolean
}

/** One thing on screen. */
export interface One<Row> {
  row: Ref<Row | null>
  fault: Ref<FaultWords | null>
  /** Nothing is known of it yet. */
  loading: Ref<boolean>
  refresh: () => void
}

/**
 * What one answer holds, kept true while it is on screen: it, why it cannot be read, or that it is
 * still awaited.
 */
export function useOne<Answer, Row, Variables extends AnyVariables>({
  document,
  variables,
  pick,
  kinds,
  isAlwaysFresh = false,
}: Asked<Answer, Row, Variables>) {
  const berth = useConsole()
  const { data, error, fetching, executeQuery } = useQuery<Answer, AnyVariables>({
    // The type above has checked that document and variables fit; what remains is any document with
    // any variables.
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
    /** Also while what is known is only read again. */
    fetching,
    refresh,
  }
}
