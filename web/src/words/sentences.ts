interface Words {
  shape: RegExp
  words: string
}

/**
 * Says sentences that come whole, as the server's refusals do: each is written down with slots for
 * what it names, `VM {name} is paused.` What a slot holds may be a sentence of the list in turn, or
 * several, as the limits of a quota are. Null for one that nobody has written down.
 */
export function sayingOf(
  sentences: Readonly<Record<string, string>>,
): (english: string) => string | null {
  // Of two that fit, the one that says more by itself is meant.
  const longestFirst = Object.entries(sentences).toSorted(([a], [b]) => fixed(b) - fixed(a))
  const all = longestFirst.map(([english, words]): Words => ({ shape: shapeOf(english), words }))
  const say = (english: string): string | null => {
    for (const { shape, words } of all) {
      const found = shape.exec(english)
      if (found)
        return words.replace(/\{(\w+)\}/g, (_, name: string) => sayAll(found.groups?.[name] ?? ''))
    }
    return null
  }
  const sayAll = (english: string) =>
    english
      .split(/(?<=\)), /)
      .map((part) => say(part) ?? part)
      .join(', ')
  return say
}

const fixed = (sentence: string): number => sentence.replace(/\{\w+\}/g, '').length

function shapeOf(sentence: string): RegExp {
  const parts = sentence
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2 === 1 ? `(?<${part}>.+?)` : part.replace(/[.*+?^$|()[\]\\]/g, '\\$&'),
    )
  return new RegExp(`^${parts.join('')}$`, 's')
}
