/** Returns the browser's own time zone and the options: all that it knows, and `extra`. */
export function timeZones(extra?: string) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = new Set([
    'UTC',
    here,
    ...(extra ? [extra] : []),
    ...Intl.supportedValuesOf('timeZone'),
  ])
  return {
    here,
    options: [...names].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  }
}
