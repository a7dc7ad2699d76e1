import { type Param, messageOf } from './message.ts'

const mostNamed = 10

/** The first names of many. */
export function someOf(names: readonly string[]): Param {
  const some = names.slice(0, mostNamed)
  return names.length > mostNamed
    ? messageOf('list.and_more', { some, rest: names.length - mostNamed })
    : some
}
