import { expect, test } from 'vitest'
import { type StreamSources } from '../../../engine/rest/route.ts'
import { auditExportRoutes } from './audit-export.ts'

/** Sources of a span with that many pages. `pagesRead` counts those that were read. */
function aSpan(pages: number): { sources: StreamSources; pagesRead: () => number } {
  let read = 0
  const sources: StreamSources = {
    subscribe: () => expect.unreachable('an export needs no subscription'),
    events: () => expect.unreachable('an export needs no events'),
    run(document) {
      if (document.startsWith('mutation'))
        return Promise.resolve({ answer: { auditExport: { before: '2026-01-01T00:00:00Z' } } })
      read += 1
      const pageInfo = { endCursor: String(read), hasNextPage: read < pages }
      return Promise.resolve({ auditEvents: { nodes: [{ id: String(read) }], pageInfo } })
    },
  }
  return { sources, pagesRead: () => read }
}

test.each(['csv', 'ndjson'])(
  'an export as %s reads a page only when the client has received the one before',
  async (format) => {
    const { sources, pagesRead } = aSpan(1_000)
    const input = { params: {}, query: {}, sent: {}, body: { format }, lastEventId: null }
    const texts = await auditExportRoutes[0]?.stream?.open(input, sources)
    await texts?.next()
    for (let page = 1; page <= 5; page += 1) {
      expect(pagesRead()).toBe(page - 1)
      expect(await texts?.next()).toContain(String(page))
    }
    texts?.close()
    expect(await texts?.next()).toBeNull()
    expect(pagesRead()).toBe(5)
  },
)
