import { computed } from 'vue'
import { spoken } from './spoken.ts'

const format = computed(() => new Intl.NumberFormat(spoken.value.locale))

/** `65,536` or `65.536`, with at most so many digits behind the comma. */
export function number(value: number, digits = 0): string {
  const scale = 10 ** digits
  return format.value.format(Math.round(value * scale) / scale)
}
