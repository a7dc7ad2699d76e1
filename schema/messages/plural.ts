import { type Forms } from './catalogue.ts'

type Category = keyof Forms

/** A browser takes milliseconds to load its first `Intl.PluralRules`, so these are written out. */
const known: Readonly<Record<string, (n: number) => Category>> = {
  en: (n) => (n === 1 ? 'one' : 'other'),
  'pt-BR': (n) => (Math.abs(n) < 2 ? 'one' : 'other'),
}

const order: readonly Category[] = ['zero', 'one', 'two', 'few', 'many', 'other']
const rules = new Map<string, Intl.PluralRules>()

/** The form for a number in a language, such as `few` for 3 in Polish. */
export function formFor(forms: Forms, n: number, language: string): string {
  return forms[categoryOf(n, language)] ?? forms.other
}

export function categoryOf(n: number, language: string): Category {
  return known[language]?.(n) ?? rulesOf(language).select(n)
}

/** The plural categories of a language, in the order of CLDR. */
export function categoriesOf(language: string): readonly Category[] {
  if (known[language]) return ['one', 'other']
  const { pluralCategories } = rulesOf(language).resolvedOptions()
  return order.filter((category) => pluralCategories.includes(category))
}

function rulesOf(language: string): Intl.PluralRules {
  const rule = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, rule)
  return rule
}
