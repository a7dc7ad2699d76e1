/** The name that a client goes by when it does not say: the first word of its user agent. */
export function clientName(query: URLSearchParams, userAgent: string | undefined): string {
  const asked = query.get('fieldManager')
  if (asked) return asked
  const agent = (userAgent ?? '').split('/')[0]?.trim() ?? ''
  return agent === '' ? 'unknown' : agent
}
