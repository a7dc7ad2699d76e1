import { type AnyVariables, type TypedDocumentNode } from '@urql/core'
import { type Ref, ref, shallowRef } from 'vue'
import type { ChangeKind } from '../api/changes.ts'
import { type FaultWords, faultFromError } from '../api/fault-words.ts'
import { useConsole } from '../session/console.ts'

export interface Action<Result, Variables> {
  busy: Ref<boolean>
  fault: Ref<FaultWords | null>
  /** The result, or null when it was refused; then `fault` says why. */
  run(variables: Variables): Promise<Result | null>
  reset(): void
}

/**
 * One deed of the user. Its idempotency key lives as long as the deed: when no answer came,
 * pressing again with the same input asks for the same thing under the same key, so that nothing is
 * done twice.
 */
export function useAction<Result, Variables extends AnyVariables>(
  document: TypedDocumentNode<Result, Variables>,
  { touches }: { touches: readonly ChangeKind[] },
): Action<Result, Variables> {
  const berth = useConsole()
  const busy = ref(false)
  const fault = shallowRef<FaultWords | null>(null)
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
    if (!error) berth.feed.touch(touches)
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
