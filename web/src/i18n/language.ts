import { ref, watch } from 'vue'
import { savePageSetting, pageSetting } from '../runtime/page-cookie.ts'
import { type ConsoleLocale } from '../../../schema/messages/catalogue.ts'
import { type Language, languageTags } from '../../../schema/messages/languages.ts'
import { activeLocale } from './active-locale.ts'

export type LanguageChoice = 'system' | Language

/** Languages other than English are loaded on demand. */
const locales = import.meta.glob<{ locale: ConsoleLocale }>('../../../schema/messages/*/locale.ts')
const choice = ref<LanguageChoice>(stored())

watch(choice, (chosen) => {
  savePageSetting('language', chosen === 'system' ? null : chosen)
  void applyLanguage()
})

export function useLanguage() {
  return { choice }
}

/** Loads and applies the chosen language. */
export async function applyLanguage(): Promise<void> {
  const chosen = choice.value
  const language = chosen === 'system' ? browserLanguage() : chosen
  // When the translations cannot be loaded, the page is shown in English.
  const translations = await translationsOf(language).catch(() => null)
  if (choice.value !== chosen) return
  const applied = translations ? language : 'en'
  const tag = navigator.languages.find((each) => isOf(applied, each)) ?? applied
  activeLocale.value = { language: applied, tag, translations }
  document.documentElement.lang = applied
}

async function translationsOf(language: Language): Promise<ConsoleLocale | null> {
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
  const setting = pageSetting('language')
  return languageTags.find((language) => language === setting) ?? 'system'
}
