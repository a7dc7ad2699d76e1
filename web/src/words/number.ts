import { computed } from 'vue'
import { spoken } from './spoken.ts'

const format = computed(() => new Intl.NumberFormat(spoken.value.locale))

// What stands between the thousands where most read us. A browser takes longer to load its first
// format than for all else of a number of rows.
const between: Readonly<Record<string, string>> = {
  en: ',',
  'en-US': ',',
  'en-GB': ',',
  'pt-BR': '.',
}

/** `65,536` or `65.536`, with at most so many digits behind the comma. */
export function number(value: number, digits = 0): string {
  const comma = between[spoken.value.locale]
  // Small whole numbers look the same in every language.
  if (Number.isInteger(value) && (comma || Math.abs(value) < 1000))
    return String(value).replace(/\B(?=(\d{3})+$)/g, comma ?? '')
  const scale = 10 ** digits
  return format.value.format(Math.round(value * scale) / scale)
}
