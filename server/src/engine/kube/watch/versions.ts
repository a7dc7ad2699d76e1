/**
 * Versions of one kind of object are numbers that grow, as Kubernetes promises since 1.35; of
 * others nothing is concluded.
 */
export const isOlderVersion = (one: string, other: string): boolean =>
  isNumber.test(one) &&
  isNumber.test(other) &&
  (one.length === other.length ? one < other : one.length < other.length)

const isNumber = /^[1-9]\d*$/
