/* Answers of a cluster to list and watch requests. */
export const object = (name: string, version: number, uid = `uid-${name}`) => ({
  metadata: { name, uid, resourceVersion: String(version) },
})
export const list = (items: object[], version: number, after = '') => ({
  metadata: { resourceVersion: String(version), continue: after },
  items,
})
export const event = (type: string, content: object): string =>
  `${JSON.stringify({ type, object: content })}\n`
export const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }
