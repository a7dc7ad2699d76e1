/** Those that the browser knows, and the one that a reader is in. */
export function timeZones(also?: string) {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = new Set([
    'UTC',
    here,
    ...(also ? [also] : []),
    ...Intl.supportedValuesOf('timeZone'),
  ])
  return {
    here,
    options: [...names].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  }
}
