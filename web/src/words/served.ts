import { spoken } from './spoken.ts'
import { filled } from './t.ts'

interface Explanation {
  code: string
  summary: string
  cause?: string
  nextStep?: string
}

/** A whole sentence of the server, as it says it unless the reader's language has words for it. */
export const told = <Said extends string | null | undefined>(english: Said): Said | string =>
  (english ? spoken.value.told?.(english) : null) ?? english

/** What the server says, found by its code, or else by the sentence itself. */
export function served(
  code: string,
  english: string,
  slots: Readonly<Record<string, string | number>> = {},
): string {
  const words = spoken.value.served?.[code]
  return words === undefined ? told(english) : filled(words, slots)
}

/**
 * Why something is as it is, each sentence in the reader's language where its code alone tells
 * which it is.
 */
export function explained<E extends Explanation>(
  noun: 'vm' | 'volume' | 'snapshot' | 'schedule',
  explanation: E,
): E {
  const said = { ...explanation }
  for (const part of ['summary', 'cause', 'nextStep'] as const) {
    const english = explanation[part]
    if (english !== undefined) said[part] = served(`${noun}.${explanation.code}.${part}`, english)
  }
  return said
}
