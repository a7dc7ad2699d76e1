import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { type Ref, computed, nextTick, reactive, ref } from 'vue'
import type { FaultMessage } from '../api/fault-message.ts'

/**
 * Holds the values and errors of a form. Errors appear after the first submit: those of the form's
 * own schema first, then those of the server. A server's error disappears when its field changes.
 */
export function useForm<
  Values extends Record<string, unknown>,
  Schema extends GenericSchema<Values, unknown>,
>(initial: Values, schema: Schema, serverFault: Ref<FaultMessage | null>) {
  // The cast is safe: `reactive` only unwraps refs, and a form has none.
  const values = reactive({ ...initial }) as Values
  const isSubmitted = ref(false)
  const submittedValues = ref<Record<string, unknown>>({})

  const own = computed(() => {
    const found: Record<string, string> = {}
    const checked = safeParse(schema, values)
    for (const issue of checked.issues ?? []) {
      const key = issue.path?.[0]?.key
      if (typeof key === 'string') found[key] ??= issue.message
    }
    return found
  })
  const errors = computed(() => {
    if (!isSubmitted.value) return {}
    const fromServer = Object.entries(serverFault.value?.fields ?? {}).filter(
      ([field]) => submittedValues.value[field] === values[field],
    )
    return { ...Object.fromEntries(fromServer), ...own.value }
  })
  /** The server's fault, unless all of it is shown at the fields. */
  const fault = computed(() => {
    const fields = Object.keys(serverFault.value?.fields ?? {})
    return fields.length > 0 && fields.every((field) => field in values) ? null : serverFault.value
  })

  async function submit(send: (output: InferOutput<Schema>) => Promise<unknown>) {
    isSubmitted.value = true
    submittedValues.value = { ...values }
    const checked = safeParse(schema, values)
    if (checked.success) await send(checked.output)
    await nextTick()
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }
  function reset(next: Partial<Values> = {}) {
    Object.assign(values, initial, next)
    isSubmitted.value = false
    serverFault.value = null
  }
  return { values, errors, fault, submit, reset }
}
