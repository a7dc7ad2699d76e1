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

test('each message has the same slots in every form of both languages', () => {
  const wrong = messages.filter(([message, text]) => {
    const wanted = JSON.stringify(slotsOf(message))
    return formsOf(text).some(
      (form) => JSON.stringify(slotsOf(form)) !== wanted && !lacksOnlyTheNumber(form, message),
    )
  })
  expect(wrong).toEqual([])
})

/** `Há mais uma rede nela:` says the number in words. */
function lacksOnlyTheNumber(form: string, message: string): boolean {
  const lacking = slotsOf(message).filter((slot) => !slotsOf(form).includes(slot))
  return (
    lacking.length === 1 && lacking[0] === '{n}' && formsOf(message)[0]?.includes('{n}') === false
  )
}

test('each message has as many forms in both languages', () => {
  expect(
    messages.filter(([message, text]) => formsOf(message).length !== formsOf(text).length),
  ).toEqual([])
})

test('a message with two forms is decided by its number', () => {
  expect(
    messages.filter(([message]) => message.includes(' | ') && !message.includes('{n}')),
  ).toEqual([])
})

test('each message stands in one file only', () => {
  const all = Object.values(parts).flatMap((part) =>
    Object.values(part).flatMap((each) => Object.keys(each)),
  )
  expect(all.filter((message, at) => all.indexOf(message) !== at)).toEqual([])
})

test('no Portuguese is kept for what nothing says any more', () => {
  const source = Object.values(sources).join('\n')
  const isSaid = (message: string) =>
    [`'${message}'`, `"${message}"`, `'${message.replaceAll("'", "\\'")}'`].some((quoted) =>
      source.includes(quoted),
    )
  expect(Object.keys(texts).filter((message) => !isSaid(message))).toEqual([])
})
