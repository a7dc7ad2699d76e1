import type { TypedDocumentNode } from '@urql/core'
import { type ShallowRef, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { useAction } from './action.ts'
import { useTelling } from './telling.ts'

interface Telling<Row, Result> {
  touches: readonly ChangeKind[]
  /** What to say when it is done. */
  done: (row: Row) => string
  /** Where the cluster has work with it: what can be watched. */
  operation?: (result: Result) => { id: string } | null
}

/**
 * A row is picked, taking it away is confirmed in a dialog (RemovalDialog.vue), and what came of it
 * is said.
 */
export function useRemoval<Row extends { id: string }, Result>(
  document: TypedDocumentNode<Result, { input: { id: string } }>,
  { touches, done, operation }: Telling<Row, Result>,
) {
  const action = useAction(document, { touches })
  const tell = useTelling()
  const picked: ShallowRef<Row | null> = shallowRef(null)
  return {
    get row() {
      return picked.value
    },
    get busy() {
      return action.busy.value
    },
    get fault() {
      return action.fault.value
    },
    ask(row: Row) {
      action.reset()
      picked.value = row
    },
    cancel() {
      picked.value = null
    },
    async confirm() {
      const row = picked.value
      const result = row && (await action.run({ input: { id: row.id } }))
      if (!row || !result) return
      tell(done(row), operation?.(result) ?? null)
      picked.value = null
    },
  }
}
