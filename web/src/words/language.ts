import { ref, watch } from 'vue'
import { keepForPage, keptForPage } from '../runtime/page-cookie.ts'
import { type Language, type Spoken, spoken } from './spoken.ts'

export type LanguageChoice = 'system' | Language

const languages: readonly Language[] = ['en', 'pt-BR']
const choice = ref<LanguageChoice>(stored())

/** English is in the sources; any other language is one file, fetched when it is wanted. */
const wordsOf: Record<
  Exclude<Language, 'en'>,
  () => Promise<Pick<Spoken, 'texts' | 'codes' | 'catalogue'>>
> = {
  'pt-BR': () =>
    import('./portuguese.ts').then(({ portugueseCatalogue, portuguese, portugueseCodes }) => ({
      texts: portuguese,
      codes: portugueseCodes,
      catalogue: portugueseCatalogue,
    })),
}

watch(choice, (chosen) => {
  keepForPage('language', chosen === 'system' ? null : chosen)
  void speak()
})

export function useLanguage() {
  return { choice }
}

/** Ends when everything can be said in the chosen language. */
export async function speak(): Promise<void> {
  const asked = choice.value
  const language = asked === 'system' ? browserLanguage() : asked
  // Without an answer the page is shown all the same, in the language that needs none.
  const words = language === 'en' ? null : await wordsOf[language]().catch(() => null)
  if (choice.value !== asked) return
  const said = words ? language : 'en'
  const locale = navigator.languages.find((tag) => isOf(said, tag)) ?? said
  spoken.value = { language: said, locale, texts: null, codes: null, catalogue: null, ...words }
  document.documentElement.lang = said
}

function browserLanguage(): Language {
  const known = navigator.languages.flatMap(
    (tag) => languages.find((language) => isOf(language, tag)) ?? [],
  )
  return known[0] ?? 'en'
}

function isOf(language: Language, tag: string): boolean {
  return tag.slice(0, 2).toLowerCase() === language.slice(0, 2)
}

function stored(): LanguageChoice {
  const kept = keptForPage('language')
  return languages.find((language) => language === kept) ?? 'system'
}
