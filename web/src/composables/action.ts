import { type AnyVariables, type TypedDocumentNode } from '@urql/core'
import { type Ref, ref, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultMessage, faultFromError } from '../api/fault-message.ts'
import { useConsole } from '../session/console.ts'

/** The result of a mutation without an error. Only a refused mutation returns null. */
export type Accepted<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }

export interface Action<Result, Variables> {
  busy: Ref<boolean>
  fault: Ref<FaultMessage | null>
  /** Returns the result, or null when it failed; then `fault` has the reason. */
  run(variables: Variables): Promise<Accepted<Result> | null>
  reset(): void
}

/**
 * Runs a mutation for a form or a button, and holds whether it is busy and its fault. After a
 * transient fault, a second run with the same input reuses the idempotency key. The server may have
 * executed the first request, and it does not execute the second one again.
 */
export function useAction<Result, Variables extends AnyVariables>(
  document: TypedDocumentNode<Result, Variables>,
  { invalidates }: { invalidates: readonly ChangeKind[] },
): Action<Result, Variables> {
  const berth = useConsole()
  const busy = ref(false)
  const fault = shallowRef<FaultMessage | null>(null)
  /** The last request, if it ended in a transient fault. */
  let retryable: { key: string; input: string } | null = null

  async function run(variables: Variables) {
    if (busy.value) return null
    busy.value = true
    fault.value = null
    const input = JSON.stringify(variables)
    const key = retryable?.input === input ? retryable.key : newKey()
    const context = { fetchOptions: { headers: { 'idempotency-key': key } } }
    const { data, error } = await berth.client.value
      .mutation(document, variables, context)
      .toPromise()
    busy.value = false
    if (error) fault.value = faultFromError(error)
    retryable = fault.value?.transient ? { key, input } : null
    if (!error) berth.feed.invalidate(invalidates)
    // Without an error, every mutation of the document has a result.
    return error || !data ? null : (data as Accepted<Result>)
  }

  return { busy, fault, run, reset: () => (fault.value = null) }
}

// `crypto.randomUUID` exists in secure contexts only, and a console on a plain http address must
// work too.
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
