import type { Component } from 'vue'

export const entryGroups = ['Found', 'VMs', 'Begin', 'Pages', 'Console'] as const

/** A line of the palette: a page to open or a command to run. */
export interface Entry {
  id: string
  group: (typeof entryGroups)[number]
  label: string
  icon: Component
  /** Distinguishes entries of the same name. */
  hint?: string | null
  /** Further words that find the entry. */
  keywords?: string
  /** Why the entry cannot run now. */
  refusal?: string | null
  run: () => unknown
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Returns the entries that have every word of the text, best match first. No text matches all. */
export function matching<Some extends Pick<Entry, 'label' | 'keywords'>>(
  entries: readonly Some[],
  text: string,
): Some[] {
  const words = wordsIn(text)
  const score = ({ label, keywords = '' }: Some): number => {
    const own = label.toLowerCase()
    if (!words.every((word) => `${own} ${keywords.toLowerCase()}`.includes(word))) return 0
    if (own.startsWith(words.join(' '))) return 3
    return words.every((word) => wordsIn(own).some((each) => each.startsWith(word))) ? 2 : 1
  }
  return entries
    .map((entry) => ({ entry, score: words.length === 0 ? 1 : score(entry) }))
    .filter((each) => each.score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}
