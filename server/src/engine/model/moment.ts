const shape =
  /^((?:19|20|21)\d\d)-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/** True for a moment as RFC 3339 text, which the database reads as it is. */
export function isMoment(text: string): boolean {
  const [, year, month, day] = (shape.exec(text) ?? []).map(Number)
  // The date rolls over into another month when the month has no such day.
  const date = new Date(Date.UTC(year ?? NaN, (month ?? NaN) - 1, day))
  return date.getUTCMonth() + 1 === month
}
