import { afterEach, expect, test } from 'vitest'
import { bytes, gibibytes, memory } from '../format/size.ts'
import { clockTime, exactTime, relativeTime } from '../format/time.ts'
import { codeLabel } from './code-label.ts'
import { sentenceOf, translate } from './messages.ts'
import { locale as portuguese } from '../../../schema/messages/pt-BR/locale.ts'
import { activeLocale } from './active-locale.ts'
import { t } from './t.ts'

const english = activeLocale.value
afterEach(() => {
  activeLocale.value = english
})
const usePortuguese = () => {
  activeLocale.value = {
    language: 'pt-BR',
    tag: 'pt-BR',
    translations: portuguese,
  }
}

test('an English message is its key with the placeholders filled', () => {
  expect(t('Delete {name}?', { name: 'db-1' })).toBe('Delete db-1?')
})

test('a Portuguese message comes from the translations', () => {
  usePortuguese()
  expect(t('Delete {name}?', { name: 'db-1' })).toBe('Excluir db-1?')
})

test.each([
  { n: 0, en: '0 rules', pt: '0 regra', because: 'Portuguese uses the singular for zero' },
  { n: 1, en: '1 rule', pt: '1 regra', because: 'both use the singular for one' },
  { n: 2, en: '2 rules', pt: '2 regras', because: 'both use the plural for two' },
  {
    n: 12_345,
    en: '12,345 rules',
    pt: '12.345 regras',
    because: 'each language has its thousands separator',
  },
])('the number $n chooses the plural form: $because', ({ n, en, pt }) => {
  expect(t('{n} rule | {n} rules', { n })).toBe(en)
  usePortuguese()
  expect(t('{n} rule | {n} rules', { n })).toBe(pt)
})

test("thousands have the separator of the reader's region", () => {
  const rules = (tag: string) => {
    activeLocale.value = { ...english, tag }
    return t('{n} rule | {n} rules', { n: 1_234_567 })
  }
  expect(['en-GB', 'en-IN', 'en-ZA'].map(rules)).toEqual([
    '1,234,567 rules',
    '12,34,567 rules',
    '1\u00a0234\u00a0567 rules',
  ])
})

test('a value is inserted verbatim, even when it has placeholders or plural separators', () => {
  expect(t('Delete {name}?', { name: '{name} | $&' })).toBe('Delete {name} | $&?')
})

test('sizes have the decimal separator of the language', () => {
  expect([memory(1536), gibibytes(2048), bytes(1_610_612_736)]).toEqual([
    '1.5 GiB',
    '2,048 GiB',
    '1.5 GiB',
  ])
  usePortuguese()
  expect([memory(1536), gibibytes(2048), bytes(1_610_612_736)]).toEqual([
    '1,5 GiB',
    '2.048 GiB',
    '1,5 GiB',
  ])
})

test("a message of the server and its nested messages are rendered in the reader's language", () => {
  const reason = { key: 'network.late', params: {} }
  const english = 'Network a cannot be used: {reason} Choose another network.'
  const message = { key: 'network.not_ready', params: { name: 'a', reason } }
  expect(sentenceOf(message, english)).toBe(english)
  usePortuguese()
  expect(sentenceOf(message, english)).toBe(
    'A rede a não pode ser usada: A rede não ficou pronta a tempo. O Berth continua tentando; se ela não ficar ativa, fale com o operador. Escolha outra rede.',
  )
})

test('a message of the server with a number has the plural form of the language', () => {
  usePortuguese()
  const held = (n: number) =>
    sentenceOf({ key: 'access.role_held', params: { name: 'ops', n } }, '')
  expect(held(1)).toBe(
    'A função ops não pode ser excluída, porque um usuário a tem; dê antes outra a ele.',
  )
  expect(held(3)).toBe(
    'A função ops não pode ser excluída, porque 3 usuários a têm; dê antes outra a eles.',
  )
})

test('an unknown message of the server stays English', () => {
  usePortuguese()
  const newer = { key: 'vm.of_tomorrow', params: {} }
  expect(sentenceOf(newer, 'Of tomorrow.')).toBe('Of tomorrow.')
  expect(sentenceOf(null, 'Of yesterday.')).toBe('Of yesterday.')
})

test('the messages of a result are translated, each at its path', () => {
  const answer = () => ({
    data: {
      vms: [
        { name: 'db-1', refusal: 'VM db-1 is paused, so it cannot be resized; resume it first.' },
        null,
      ],
    },
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
  usePortuguese()
  const portugueseAnswer = answer()
  translate(portugueseAnswer)
  expect(portugueseAnswer.data.vms[0]?.refusal).toBe(
    'O Berth ainda não conhece a instância em execução da VM db-1; aguarde um momento e repita a solicitação.',
  )
})

test('a time is formatted in the current language', () => {
  const at = '2026-11-21T12:00:00Z'
  const threeHoursLater = Date.parse(at) + 3 * 3_600_000
  expect(relativeTime(at, threeHoursLater)).toBe('3 hours ago')
  const [exact, clock] = [exactTime(at), clockTime(Date.parse(at))]
  usePortuguese()
  expect(relativeTime(at, threeHoursLater)).toBe('há 3 horas')
  expect(relativeTime(at, Date.parse(at) - 60_000)).toBe('em 1 minuto')
  expect(relativeTime(at, Date.parse(at))).toBe('agora mesmo')
  expect(exactTime(at)).toContain('21 de nov. de 2026')
  expect(exact).not.toContain(' de ')
  expect(clock).toMatch(/\d/)
})

test('a label derived from a code is translated when its translation is known', () => {
  expect(codeLabel('operation.deploy_vm', 'Deploy VM')).toBe('Deploy VM')
  usePortuguese()
  expect(codeLabel('operation.deploy_vm', 'Deploy VM')).toBe('Implantar VM')
  expect(codeLabel('operation.of_tomorrow', 'Of tomorrow')).toBe('Of tomorrow')
})
