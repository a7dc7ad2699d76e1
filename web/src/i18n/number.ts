import { computed } from 'vue'
import { activeLocale } from './active-locale.ts'

const format = computed(() => new Intl.NumberFormat(activeLocale.value.tag))

// The thousands separators of the usual locales. The browser's number formats are slow to load, so
// they are used only for other locales.
const separators: Readonly<Record<string, string>> = {
  en: ',',
  'en-US': ',',
  'en-GB': ',',
  'pt-BR': '.',
}

/** Formats a number, such as `65,536` or `65.536`, with at most so many decimal digits. */
export function number(value: number, digits = 0): string {
  const separator = separators[activeLocale.value.tag]
  // Small whole numbers look the same in every language.
  if (Number.isInteger(value) && (separator || Math.abs(value) < 1000))
    return String(value).replace(/\B(?=(\d{3})+$)/g, separator ?? '')
  const scale = 10 ** digits
  return format.value.format(Math.round(value * scale) / scale)
}
