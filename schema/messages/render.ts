import { type Locale, type MessageJson, type Param } from './catalogue.ts'
import { formFor } from './plural.ts'

/** The sentence of a message in one language; null for a key that the catalogue does not have. */
export function render({ key, params }: MessageJson, locale: Locale): string | null {
  const entry = locale.catalogue[key]
  if (entry === undefined) return null
  const text =
    typeof entry === 'string' ? entry : formFor(entry, Number(params['n']), locale.language)
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const param = params[name]
    return param === undefined ? slot : renderParam(param, locale)
  })
}

function renderParam(param: Param, locale: Locale): string {
  if (typeof param !== 'object') return String(param)
  if (isList(param)) return param.map((each) => renderParam(each, locale)).join(', ')
  return render(param, locale) ?? param.key
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(param: Param): param is readonly Param[] {
  return Array.isArray(param)
}
