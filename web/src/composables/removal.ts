import type { TypedDocumentNode } from '@urql/core'
import { type ShallowRef, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { toast } from '../ui/toasts.ts'
import { useAction } from './action.ts'

interface Telling<Row> {
  touches: readonly ChangeKind[]
  /** What to say when it is done. */
  done: (row: Row) => string
}

/** A row is picked, taking it away is confirmed in a dialog (RemovalDialog.vue), and what came of it is said. */
export function useRemoval<Row extends { id: string }, Result>(
  document: TypedDocumentNode<Result, { input: { id: string } }>,
  { touches, done }: Telling<Row>,
) {
  const action = useAction(document, { touches })
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
      if (!row || !(await action.run({ input: { id: row.id } }))) return
      toast({ tone: 'good', text: done(row) })
      picked.value = null
    },
  }
}
