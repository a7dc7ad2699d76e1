const mostNamed = 10

/** The first names of many. */
export const someOf = (names: readonly string[]): string =>
  names.slice(0, mostNamed).join(', ') +
  (names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '')
