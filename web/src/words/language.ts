import { ref, watch } from 'vue'
import { keepForPage, keptForPage } from '../runtime/page-cookie.ts'
import { type ConsoleLocale } from '../../../schema/messages/catalogue.ts'
import { type Language, languageTags } from '../../../schema/messages/languages.ts'
import { spoken } from './spoken.ts'

export type LanguageChoice = 'system' | Language

/** A language other than English is fetched when the reader wants it. */
const locales = import.meta.glob<{ locale: ConsoleLocale }>('../../../schema/messages/*/locale.ts')
const choice = ref<LanguageChoice>(stored())

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
  const words = await wordsOf(language).catch(() => null)
  if (choice.value !== asked) return
  const said = words ? language : 'en'
  const locale = navigator.languages.find((tag) => isOf(said, tag)) ?? said
  spoken.value = { language: said, locale, words }
  document.documentElement.lang = said
}

async function wordsOf(language: Language): Promise<ConsoleLocale | null> {
  const load = locales[`../../../schema/messages/${language}/locale.ts`]
  return load ? (await load()).locale : null
}

function browserLanguage(): Language {
  const known = navigator.languages.flatMap(
    (tag) => languageTags.find((language) => isOf(language, tag)) ?? [],
  )
  return known[0] ?? 'en'
}

function isOf(language: Language, tag: string): boolean {
  return tag.slice(0, 2).toLowerCase() === language.slice(0, 2)
}

function stored(): LanguageChoice {
  const kept = keptForPage('language')
  return languageTags.find((language) => language === kept) ?? 'system'
}
