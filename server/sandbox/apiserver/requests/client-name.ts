/** Returns the field manager of a request. The default is the first word of the user agent. */
export function clientName(query: URLSearchParams, userAgent: string | undefined): string {
  const fieldManager = query.get('fieldManager')
  if (fieldManager) return fieldManager
  const agent = (userAgent ?? '').split('/')[0]?.trim() ?? ''
  return agent === '' ? 'unknown' : agent
}
