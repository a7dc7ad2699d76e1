import { afterEach, expect, test } from 'vitest'
import { bytes, gibibytes, memory } from '../format/size.ts'
import { clockTime, exactTime, relativeTime } from '../format/time.ts'
import { portuguese, portugueseServed, portugueseTold } from './portuguese.ts'
import { explained, served, told } from './served.ts'
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
    texts: portuguese,
    served: portugueseServed,
    told: portugueseTold,
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

test.each([
  {
    english: 'VM {name} is paused; resume it first.',
    says: 'A VM {name} está pausada; retome-a primeiro.',
    because: 'names stay, whatever they look like',
  },
  {
    english: 'must be at most 5 characters',
    says: 'deve ter no máximo 5 caracteres',
    because: 'of two that fit the one that says more is meant',
  },
  {
    english:
      'Network a is not ready: It could not be made ready in time; it is still being tried. Choose another network.',
    says: 'A rede a não está pronta: Não ficou pronta a tempo; ainda se tenta. Escolha outra rede.',
    because: 'what it holds may be a sentence in turn',
  },
  {
    english: 'Nobody wrote this down.',
    says: 'Nobody wrote this down.',
    because: 'English is better than nothing',
  },
])('a whole sentence of the server: $because', ({ english, says }) => {
  expect(told(english)).toBe(english)
  speakPortuguese()
  expect(told(english)).toBe(says)
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

test('what the server says is said in Portuguese where its code alone tells what it is', () => {
  const seen = {
    code: 'unschedulable',
    summary: 'There is no place.',
    cause: 'Too little memory.',
    nextStep: 'Wait.',
  }
  expect(explained('vm', seen)).toEqual(seen)
  speakPortuguese()
  expect(served('operation.deploy_vm', 'Deploy VM')).toBe('Implantar VM')
  expect(served('operation.of_tomorrow', 'Of tomorrow')).toBe('Of tomorrow')
  expect(explained('vm', seen)).toEqual({ ...seen, summary: 'Não há lugar para a VM no momento.' })
})
