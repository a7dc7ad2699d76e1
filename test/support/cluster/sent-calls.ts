import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest } from 'node:http'
import { onTestFinished } from 'vitest'

const started = 'http.client.request.start'

/**
 * Collects the calls that this process sends to the cluster until the test ends, as `GET /path`.
 * Faults that the test injects do not count.
 */
export function sentCalls(cluster: { url: string }): string[] {
  const { host } = new URL(cluster.url)
  const calls: string[] = []
  const collect = (message: unknown): void => {
    // Node publishes the request under this name.
    const { request } = message as { request: ClientRequest }
    const { pathname, searchParams } = new URL(request.path, cluster.url)
    if (request.getHeader('host') !== host || pathname.startsWith('/_sandbox/')) return
    calls.push(`${searchParams.has('watch') ? 'WATCH' : request.method} ${pathname}`)
  }
  subscribe(started, collect)
  onTestFinished(() => void unsubscribe(started, collect))
  return calls
}
