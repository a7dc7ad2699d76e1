import { afterEach, expect, test } from 'vitest'
import { bytes, gibibytes, memory } from '../format/size.ts'
import { clockTime, exactTime, relativeTime } from '../format/time.ts'
import { codeWords } from './code-words.ts'
import { sentenceOf, translate } from './messages.ts'
import { locale as portuguese } from '../../../schema/messages/pt-BR/locale.ts'
import { spoken } from './spoken.ts'
import { t } from './t.ts'

const english = spoken.value
afterEach(() => {
  spoken.value = english
})
const speakPortuguese = () => {
  spoken.value = {
    language: 'pt-BR',
    locale: 'pt-BR',
    words: portuguese,
  }
}

test('English is the message itself, with its slots filled', () => {
  expect(t('Delete {name}?', { name: 'db-1' })).toBe('Delete db-1?')
})

test('Portuguese says the same message in its own words', () => {
  speakPortuguese()
  expect(t('Delete {name}?', { name: 'db-1' })).toBe('Excluir db-1?')
})

test.each([
  { n: 0, en: '0 rules', pt: '0 regra', because: 'Portuguese counts nothing like one' },
  { n: 1, en: '1 rule', pt: '1 regra', because: 'one is one' },
  { n: 2, en: '2 rules', pt: '2 regras', because: 'two are many' },
  {
    n: 12_345,
    en: '12,345 rules',
    pt: '12.345 regras',
    because: 'thousands are set apart as the language does',
  },
])('$n: $because', ({ n, en, pt }) => {
  expect(t('{n} rule | {n} rules', { n })).toBe(en)
  speakPortuguese()
  expect(t('{n} rule | {n} rules', { n })).toBe(pt)
})

test("thousands are set apart as the reader's country does", () => {
  const rules = (locale: string) => {
    spoken.value = { ...english, locale }
    return t('{n} rule | {n} rules', { n: 1_234_567 })
  }
  expect(['en-GB', 'en-IN', 'en-ZA'].map(rules)).toEqual([
    '1,234,567 rules',
    '12,34,567 rules',
    '1\u00a0234\u00a0567 rules',
  ])
})

test('what stands in a slot is not read as a slot or as forms', () => {
  expect(t('Delete {name}?', { name: '{name} | $&' })).toBe('Delete {name} | $&?')
})

test('sizes have the comma of the language', () => {
  expect([memory(1536), gibibytes(2048), bytes(1_610_612_736)]).toEqual([
    '1.5 GiB',
    '2,048 GiB',
    '1.5 GiB',
  ])
  speakPortuguese()
  expect([memory(1536), gibibytes(2048), bytes(1_610_612_736)]).toEqual([
    '1,5 GiB',
    '2.048 GiB',
    '1,5 GiB',
  ])
})

test("a message of the server is rendered in the reader's language, with the messages in it", () => {
  const reason = { key: 'network.late', params: {} }
  const english = 'Network a is not ready: {reason} Choose another network.'
  const message = { key: 'network.not_ready', params: { name: 'a', reason } }
  expect(sentenceOf(message, english)).toBe(english)
  speakPortuguese()
  expect(sentenceOf(message, english)).toBe(
    'A rede a não está pronta: Não ficou pronta a tempo; ainda se tenta. Escolha outra rede.',
  )
})

test('a message of the server with a number has the form that the language asks for', () => {
  speakPortuguese()
  const held = (n: number) =>
    sentenceOf({ key: 'access.role_held', params: { name: 'ops', n } }, '')
  expect(held(1)).toBe('A função ops é de um usuário; dê antes outra a ele.')
  expect(held(3)).toBe('A função ops é de 3 usuários; dê antes outra a eles.')
})

test('a message that this console does not know stays English', () => {
  speakPortuguese()
  const newer = { key: 'vm.of_tomorrow', params: {} }
  expect(sentenceOf(newer, 'Of tomorrow.')).toBe('Of tomorrow.')
  expect(sentenceOf(null, 'Of yesterday.')).toBe('Of yesterday.')
})

test('the sentences of an answer are put into the language of the reader, each at its place', () => {
  const answer = () => ({
    data: { vms: [{ name: 'db-1', refusal: 'VM db-1 is paused; resume it first.' }, null] },
    extensions: {
      messages: [
        { path: ['vms', 0, 'refusal'], key: 'vm.silent', params: { name: 'db-1' } },
        { path: ['vms', 1, 'refusal'], key: 'vm.silent', params: { name: 'db-1' } },
        'not a message',
      ],
    },
  })
  const english = answer()
  translate(english)
  expect(english).toEqual(answer())
  speakPortuguese()
  const portugueseAnswer = answer()
  translate(portugueseAnswer)
  expect(portugueseAnswer.data.vms[0]?.refusal).toBe(
    'A VM db-1 não responde no momento; aguarde até que volte a responder.',
  )
})

test('times are told as the language tells them', () => {
  const at = '2026-11-21T12:00:00Z'
  const threeHoursLater = Date.parse(at) + 3 * 3_600_000
  expect(relativeTime(at, threeHoursLater)).toBe('3 hours ago')
  const [exact, clock] = [exactTime(at), clockTime(Date.parse(at))]
  speakPortuguese()
  expect(relativeTime(at, threeHoursLater)).toBe('há 3 horas')
  expect(relativeTime(at, Date.parse(at) - 60_000)).toBe('em 1 minuto')
  expect(relativeTime(at, Date.parse(at))).toBe('agora mesmo')
  expect(exactTime(at)).toContain('21 de nov. de 2026')
  expect(exact).not.toContain(' de ')
  expect(clock).toMatch(/\d/)
})

test('a word that the console derives from a code is said in Portuguese where it is known', () => {
  expect(codeWords('operation.deploy_vm', 'Deploy VM')).toBe('Deploy VM')
  speakPortuguese()
  expect(codeWords('operation.deploy_vm', 'Deploy VM')).toBe('Implantar VM')
  expect(codeWords('operation.of_tomorrow', 'Of tomorrow')).toBe('Of tomorrow')
})
