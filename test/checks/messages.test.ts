import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { type Entry } from '../../schema/messages/catalogue.ts'
import { en } from '../../schema/messages/en/en.ts'
import { locale as portuguese } from '../../schema/messages/pt-BR/locale.ts'
import { faultCodes } from '../../server/src/engine/model/fault.ts'
import { operationKinds } from '../../server/src/domain/nouns.ts'
import { quotaResources } from '../../server/src/domain/tenant/quota.ts'

const locales: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  en,
  [portuguese.language]: portuguese.catalogue,
}
const root = join(import.meta.dirname, '../..')

const textsOf = (entry: Entry): string[] =>
  // The values of an entry with forms are its texts.
  typeof entry === 'string' ? [entry] : (Object.values(entry) as string[])
const slotsOf = (entry: Entry): string[] => [
  ...new Set(textsOf(entry).flatMap((text) => text.match(/\{\w+\}/g) ?? [])),
]
const sorted = (texts: Iterable<string>) => [...texts].sort()

test('every locale has exactly the keys of English', () => {
  for (const catalogue of Object.values(locales))
    expect(sorted(Object.keys(catalogue))).toEqual(sorted(Object.keys(en)))
})

test('every locale has the same slots in each text', () => {
  const different = Object.entries(en).flatMap(([key, entry]) =>
    Object.entries(locales).flatMap(([locale, catalogue]) =>
      sorted(slotsOf(catalogue[key] ?? '')).join() === sorted(slotsOf(entry)).join()
        ? []
        : [`${locale} ${key}`],
    ),
  )
  expect(different).toEqual([])
})

test('a text with plural forms has the same slots in each form, except for its number', () => {
  const different = Object.values(locales)
    .flatMap((catalogue) => Object.entries(catalogue))
    .filter(([, entry]) => {
      const slots = textsOf(entry).map((text) =>
        sorted(slotsOf(text).filter((slot) => slot !== '{n}')),
      )
      return new Set(slots.map((each) => each.join())).size > 1
    })
  expect(different).toEqual([])
})

test('every key of the catalogue is used by the server', () => {
  const used = usedKeys()
  const derived = [
    // The console shows each of these.
    ...quotaResources.map((resource) => `quota.label.${resource}`),
    ...faultCodes.flatMap((code) => [`fault.${code}.title`, `fault.${code}.remedy`]),
    ...Object.entries(operationKinds).flatMap(([kind, { steps }]) =>
      steps.map((step) => `step.${kind}.${step}`),
    ),
  ]
  const isUsed = (key: string) =>
    derived.includes(key) || used.texts.has(key) || used.shapes.some((shape) => shape.test(key))
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([])
})

/** Returns the string literals of the server's sources, and patterns for its template literals. */
function usedKeys(): { texts: Set<string>; shapes: RegExp[] } {
  const texts = new Set<string>()
  const shapes: RegExp[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.add(node.text)
    if (ts.isTemplateExpression(node) && /^[a-z_]+\./.test(node.head.text))
      shapes.push(
        shapeOf([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]),
      )
    ts.forEachChild(node, visit)
  }
  for (const file of globSync('server/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, file), 'utf8')
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  }
  return { texts, shapes: shapes.filter((shape) => !/^\^(fault|step)/.test(shape.source)) }
}

const shapeOf = (parts: readonly string[]): RegExp =>
  new RegExp(`^${parts.map((part) => part.replaceAll('.', String.raw`\.`)).join('.+')}$`)
