import { type Json, isMap } from '../apiserver/types.ts'
import { CelFailed } from './failed.ts'

/** Functions of texts, each with what it is given. */
const ofText: Readonly<Record<string, (text: string, given: readonly string[]) => Json>> = {
  contains: (text, [part = '']) => text.includes(part),
  startsWith: (text, [part = '']) => text.startsWith(part),
  endsWith: (text, [part = '']) => text.endsWith(part),
  matches: (text, [pattern = '']) => patternOf(pattern).test(text),
  findAll: (text, [pattern = '']) => text.match(patternOf(pattern, 'g')) ?? [],
  split: (text, [separator = '']) => text.split(separator),
  trim: (text) => text.trim(),
  lowerAscii: (text) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
}

const withoutArguments = ['trim', 'lowerAscii']

/** Whether there is such a function, called in such a way. */
export const isCall = (
  name: string,
  { isMember, given }: { isMember: boolean; given: number },
): boolean =>
  isMember
    ? Object.hasOwn(ofText, name) && given === (withoutArguments.includes(name) ? 1 : 2)
    : name === 'size' && given === 1

export function callOf(name: string, given: readonly Json[]): Json {
  if (name === 'size') return sizeOf(given[0] ?? null)
  const call = ofText[name]
  const [of, ...texts] = given.filter((each) => typeof each === 'string')
  if (!call || of === undefined || texts.length + 1 < given.length)
    throw new CelFailed('no such overload')
  return call(of, texts)
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return [...value].length
  if (Array.isArray(value)) return value.length
  if (isMap(value)) return Object.keys(value).length
  throw new CelFailed('no such overload')
}

/**
 * RE2 writes flags into the pattern, and knows nothing that the two would read differently in the
 * patterns that are used here.
 */
function patternOf(pattern: string, flags = ''): RegExp {
  const folded = pattern.startsWith('(?i)')
  return new RegExp(
    folded ? pattern.slice('(?i)'.length) : pattern,
    `u${flags}${folded ? 'i' : ''}`,
  )
}
