import { registerEnumType } from 'type-graphql'

type EnumObject<Word extends string> = { readonly [W in Word]: W }

interface EnumDescriptions<Word extends string> {
  readonly description: string
  /** The description of each value, or a function that returns it when all follow one pattern. */
  readonly values: Readonly<Record<Word, string>> | ((word: Word) => string)
}

/**
 * Declares a GraphQL enum with the states of the domain as its values. A value without a
 * description does not compile.
 */
export function enumOf<Word extends string>(
  name: string,
  words: readonly Word[],
  { description, values }: EnumDescriptions<NoInfer<Word>>,
): EnumObject<Word> {
  const describe = typeof values === 'function' ? values : (word: Word) => values[word]
  return registered({ name, words, description, describe })
}

export interface SortDescriptions<Word extends string> {
  readonly description?: string
  readonly values?: Readonly<Partial<Record<Word, string>>>
}

/**
 * Declares the GraphQL enum of the orders of a list. The usual orders, such as `name`, need no
 * description here.
 */
export const sortEnumOf = <Word extends string>(
  name: string,
  words: readonly Word[],
  { description, values }: SortDescriptions<NoInfer<Word>> = {},
): EnumObject<Word> => registered({ name, words, description, describe: (word) => values?.[word] })

interface EnumParts<Word extends string> {
  name: string
  words: readonly Word[]
  description: string | undefined
  describe: (word: Word) => string | undefined
}

function registered<Word extends string>(parts: EnumParts<Word>): EnumObject<Word> {
  const { name, words, description, describe } = parts
  // Every word maps to itself, as the type states.
  const enumObject = recordOf(words, (word) => word) as EnumObject<Word>
  const valuesConfig = recordOf(words, (word) => ({ description: describe(word) }))
  registerEnumType(enumObject, { name, description, valuesConfig })
  return enumObject
}

const recordOf = <Word extends string, Value>(
  words: readonly Word[],
  valueOf: (word: Word) => Value,
): Record<Word, Value> =>
  // Object.fromEntries returns string keys; all of them are words.
  Object.fromEntries(words.map((word) => [word, valueOf(word)])) as Record<Word, Value>
