import { categoriesOf, categoryOf } from '../../../schema/messages/plural.ts'
import { number } from './number.ts'
import { type Message, activeLocale } from './active-locale.ts'

type SlotNames<M> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never
type Slots<M> = [SlotNames<M>] extends [never] ? [] : [slots: Record<SlotNames<M>, string | number>]

/**
 * Translates a message: `t('{n} rule | {n} rules', { n })`. Its plural forms are in the order of
 * the language's plural categories, and `n` chooses one. Call it where the text is shown, so that
 * the text follows a change of the language.
 */
export function t<M extends Message>(message: M, ...[slots]: Slots<M>): string {
  const text = textOf(message)
  return slots ? fillSlots(formFor(text, slots), slots) : text
}

/** Returns the translation with its placeholders, for components that fill them with markup. */
export function textOf(message: Message): string {
  return activeLocale.value.translations?.texts[message] ?? message
}

function formFor(text: string, slots: Readonly<Record<string, string | number>>): string {
  const forms = text.split(' | ')
  if (forms.length === 1) return text
  const { language } = activeLocale.value
  const at = categoriesOf(language).indexOf(categoryOf(Number(slots['n']), language))
  return forms[at] ?? text
}

/** Fills the placeholders. Numbers are formatted in the current language. */
function fillSlots(text: string, slots: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const value = slots[name]
    return typeof value === 'number' ? number(value, 2) : (value ?? slot)
  })
}
