import { categoriesOf, categoryOf } from '../../../schema/messages/plural.ts'
import { number } from './number.ts'
import { type Message, spoken } from './spoken.ts'

type SlotNames<M> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never
type Slots<M> = [SlotNames<M>] extends [never] ? [] : [slots: Record<SlotNames<M>, string | number>]

/**
 * A message in the reader's language: `t('{n} rule | {n} rules', { n })`. Where it has forms, in
 * the order of the language's plural categories, `n` decides between them. Call it where the words
 * are shown, so that they follow the language.
 */
export function t<M extends Message>(message: M, ...[slots]: Slots<M>): string {
  const text = textOf(message)
  return slots ? filled(formFor(text, slots), slots) : text
}

/**
 * The message as it is written down, with its slots: for who puts something else than words into
 * them.
 */
export function textOf(message: Message): string {
  return spoken.value.words?.texts[message] ?? message
}

function formFor(text: string, slots: Readonly<Record<string, string | number>>): string {
  const forms = text.split(' | ')
  if (forms.length === 1) return text
  const { language } = spoken.value
  const at = categoriesOf(language).indexOf(categoryOf(Number(slots['n']), language))
  return forms[at] ?? text
}

/** With its slots filled, by what the reader's language makes of numbers. */
export function filled(text: string, slots: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const given = slots[name]
    return typeof given === 'number' ? number(given, 2) : (given ?? slot)
  })
}
