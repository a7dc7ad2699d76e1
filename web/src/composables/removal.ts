import type { TypedDocumentNode } from '@urql/core'
import { type ShallowRef, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type Accepted, useAction } from './action.ts'
import { useResultToast } from './result-toast.ts'

interface RemovalOptions<Row, Result> {
  invalidates: readonly ChangeKind[]
  /** Returns the message of the toast after success. */
  done: (row: Row) => string
  /** Returns the operation when the cluster has to do work; the toast links to it. */
  operation?: (result: Accepted<Result>) => { id: string } | null
}

/**
 * Removes a row: picks it, waits for a confirmation in RemovalDialog.vue, runs the mutation and
 * reports the result in a toast.
 */
export function useRemoval<Row extends { id: string }, Result>(
  document: TypedDocumentNode<Result, { input: { id: string } }>,
  { invalidates, done, operation }: RemovalOptions<Row, Result>,
) {
  const action = useAction(document, { invalidates })
  const announce = useResultToast()
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
      announce(done(row), operation?.(result) ?? null)
      picked.value = null
    },
  }
}
