import type { Component } from 'vue'

export const entryGroups = ['Found', 'Machines', 'Begin', 'Pages', 'Console'] as const

/** A line of the palette: where to go or what to do. */
export interface Entry {
  id: string
  group: (typeof entryGroups)[number]
  label: string
  icon: Component
  /** What tells it from others of the same name. */
  hint?: string | null
  /** Other words that people look for it by. */
  also?: string
  /** Why it cannot be done now. */
  refusal?: string | null
  run: () => unknown
}

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Those with every word of the text in them, the likeliest first; all of them without a text. */
export function matching<Some extends Pick<Entry, 'label' | 'also'>>(
  entries: readonly Some[],
  text: string,
): Some[] {
  const words = wordsIn(text)
  const likeness = ({ label, also = '' }: Some): number => {
    const own = label.toLowerCase()
    if (!words.every((word) => `${own} ${also.toLowerCase()}`.includes(word))) return 0
    if (own.startsWith(words.join(' '))) return 3
    return words.every((word) => wordsIn(own).some((each) => each.startsWith(word))) ? 2 : 1
  }
  return entries
    .map((entry) => ({ entry, likeness: words.length === 0 ? 1 : likeness(entry) }))
    .filter((each) => each.likeness > 0)
    .toSorted((one, other) => other.likeness - one.likeness)
    .map(({ entry }) => entry)
}
