import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { type Ref, computed, nextTick, reactive, ref } from 'vue'
import type { FaultWords } from '../api/fault-words.ts'

/**
 * A form keeps what was typed whatever happens. It says what is wrong with a field once it was
 * submitted, first by its own schema, then in the server's words; a server's word about a field
 * goes away when that field is changed.
 */
export function useForm<
  Values extends Record<string, unknown>,
  Schema extends GenericSchema<Values, unknown>,
>(initial: Values, schema: Schema, serverFault: Ref<FaultWords | null>) {
  // reactive only unwraps refs, and a form holds plain values
  const values = reactive({ ...initial }) as Values
  const tried = ref(false)
  const refusedWith = ref<Record<string, unknown>>({})

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
    if (!tried.value) return {}
    const said = Object.entries(serverFault.value?.fields ?? {}).filter(
      ([field]) => refusedWith.value[field] === values[field],
    )
    return { ...Object.fromEntries(said), ...own.value }
  })
  /** The server's sentence, unless its fields already say it all. */
  const fault = computed(() => {
    const fields = Object.keys(serverFault.value?.fields ?? {})
    return fields.length > 0 && fields.every((field) => field in values) ? null : serverFault.value
  })

  async function submit(send: (output: InferOutput<Schema>) => Promise<unknown>) {
    tried.value = true
    refusedWith.value = { ...values }
    const checked = safeParse(schema, values)
    if (checked.success) await send(checked.output)
    await nextTick()
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus()
  }
  function reset(next: Partial<Values> = {}) {
    Object.assign(values, initial, next)
    tried.value = false
    serverFault.value = null
  }
  return { values, errors, fault, submit, reset }
}
