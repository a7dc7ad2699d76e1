/**
 * The languages of the product, by BCP 47 tag, with the name that their speakers use. English
 * stands in the sources; each other language is the folder of its tag.
 */
export const languages = {
  en: 'English',
  'pt-BR': 'Português',
} as const

export type Language = keyof typeof languages
// The object has no other keys than its languages.
export const languageTags = Object.keys(languages) as readonly Language[]
