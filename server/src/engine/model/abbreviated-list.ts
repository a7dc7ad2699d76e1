import { type Param, messageOf } from './message.ts'

const maxNames = 10

/** Returns the first names of a list, and how many more there are. */
export function abbreviatedList(names: readonly string[]): Param {
  const first = names.slice(0, maxNames)
  return names.length > maxNames
    ? messageOf('list.and_more', { some: first, rest: names.length - maxNames })
    : first
}
