import { computed } from 'vue'
import { spoken } from './spoken.ts'

const format = computed(() => new Intl.NumberFormat(spoken.value.locale))

/** `65,536` or `65.536`, with at most so many digits behind the comma. */
export function number(value: number, digits = 0): string {
  // Small whole numbers look the same in every language, and a page may have nothing else to load the formats for.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value)
  const scale = 10 ** digits
  return format.value.format(Math.round(value * scale) / scale)
}
