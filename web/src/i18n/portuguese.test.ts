import { expect, test } from 'vitest'
import { texts } from '../../../schema/messages/pt-BR/console/texts.ts'

const parts = import.meta.glob<Record<string, Record<string, string>>>(
  ['../../../schema/messages/pt-BR/console/*.ts', '!**/texts.ts'],
  { eager: true },
)
const sources = import.meta.glob<string>(
  ['../**/*.{ts,vue}', '!../**/*.test.ts', '!../**/*.d.ts'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
)
const messages = Object.entries(texts)

const slotsOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()
const formsOf = (text: string) => text.split(' | ')

test('each message has the same placeholders in every plural form of both languages', () => {
  const wrong = messages.filter(([message, text]) => {
    const expected = JSON.stringify(slotsOf(message))
    return formsOf(text).some(
      (form) => JSON.stringify(slotsOf(form)) !== expected && !lacksOnlyTheNumber(form, message),
    )
  })
  expect(wrong).toEqual([])
})

/** True for a form such as `Há mais uma rede nela:`, which has the number as a word. */
function lacksOnlyTheNumber(form: string, message: string): boolean {
  const lacking = slotsOf(message).filter((slot) => !slotsOf(form).includes(slot))
  return (
    lacking.length === 1 && lacking[0] === '{n}' && formsOf(message)[0]?.includes('{n}') === false
  )
}

test('each message has as many plural forms in both languages', () => {
  expect(
    messages.filter(([message, text]) => formsOf(message).length !== formsOf(text).length),
  ).toEqual([])
})

test('a message with two plural forms has the placeholder {n}', () => {
  expect(
    messages.filter(([message]) => message.includes(' | ') && !message.includes('{n}')),
  ).toEqual([])
})

test('each message is in one file only', () => {
  const all = Object.values(parts).flatMap((part) =>
    Object.values(part).flatMap((each) => Object.keys(each)),
  )
  expect(all.filter((message, at) => all.indexOf(message) !== at)).toEqual([])
})

test('no translation belongs to a message that the console no longer has', () => {
  const source = Object.values(sources).join('\n')
  const isUsed = (message: string) =>
    [`'${message}'`, `"${message}"`, `'${message.replaceAll("'", "\\'")}'`].some((quoted) =>
      source.includes(quoted),
    )
  expect(Object.keys(texts).filter((message) => !isUsed(message))).toEqual([])
})
