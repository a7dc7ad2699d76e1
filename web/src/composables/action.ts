import { type AnyVariables, type TypedDocumentNode } from '@urql/core'
import { type Ref, ref, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultMessage, faultFromError } from '../api/fault-message.ts'
import { useConsole } from '../session/console.ts'

export interface Action<Result, Variables> {
  busy: Ref<boolean>
  fault: Ref<FaultMessage | null>
  /** Returns the result, or null when it failed; then `fault` has the reason. */
  run(variables: Variables): Promise<Result | null>
  reset(): void
}

/**
 * Runs a mutation. When no answer came, running it again with the same input reuses the idempotency
 * key, so that the server does not execute it twice.
 */
export function useAction<Result, Variables extends AnyVariables>(
  document: TypedDocumentNode<Result, Variables>,
  { invalidates }: { invalidates: readonly ChangeKind[] },
): Action<Result, Variables> {
  const berth = useConsole()
  const busy = ref(false)
  const fault = shallowRef<FaultMessage | null>(null)
  let unanswered: { key: string; input: string } | null = null

  async function run(variables: Variables) {
    if (busy.value) return null
    busy.value = true
    fault.value = null
    const input = JSON.stringify(variables)
    const key = unanswered?.input === input ? unanswered.key : newKey()
    const context = { fetchOptions: { headers: { 'idempotency-key': key } } }
    const { data, error } = await berth.client.value
      .mutation(document, variables, context)
      .toPromise()
    busy.value = false
    if (error) fault.value = faultFromError(error)
    unanswered = fault.value?.transient ? { key, input } : null
    if (!error) berth.feed.invalidate(invalidates)
    return error ? null : (data ?? null)
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
