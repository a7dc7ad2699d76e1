import { number } from './number.ts'
import { type Language, type Message, spoken } from './spoken.ts'

type SlotNames<M> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never
type Slots<M> = [SlotNames<M>] extends [never] ? [] : [slots: Record<SlotNames<M>, string | number>]

/**
 * As browsers have it too, where the first of their rules takes longer to load than rows to draw.
 */
const isOne: Readonly<Record<Language, (n: number) => boolean>> = {
  en: (n) => n === 1,
  'pt-BR': (n) => Math.abs(n) < 2,
}

/**
 * A message in the reader's language: `t('{n} rule | {n} rules', { n })`. Where it has two forms,
 * `n` decides between them, as both languages tell one from many. To be called where the words are
 * shown, so that they follow the language.
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
  return spoken.value.texts?.[message] ?? message
}

function formFor(text: string, slots: Readonly<Record<string, string | number>>): string {
  const [one = '', other] = text.split(' | ')
  return other === undefined || isOne[spoken.value.language](Number(slots['n'])) ? one : other
}

/** With its slots filled, by what the reader's language makes of numbers. */
export function filled(text: string, slots: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const given = slots[name]
    return typeof given === 'number' ? number(given, 2) : (given ?? slot)
  })
}
