/**
 * True when the first resource version is older. The resource versions of one kind are increasing
 * numbers, as Kubernetes guarantees since 1.35; any other text is not comparable.
 */
export const isOlderVersion = (one: string, other: string): boolean =>
  isNumber.test(one) &&
  isNumber.test(other) &&
  (one.length === other.length ? one < other : one.length < other.length)

const isNumber = /^[1-9]\d*$/
