/*
 * A Kubernetes API as large as the largest cluster that Berth supports. It serves only lists and
 * watches, and sends events on command. Objects are generated page by page, because the bench
 * measures the client and not this server.
 */
import { type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { makeServingCertificates } from '../../../server/sandbox/trust/certificates.ts'
import { serveRequests } from '../process/channel.ts'

export interface EventsRequest {
  perSecond: number
  seconds: number
}

export interface EventsSent {
  count: number
  lastAtMs: number
}

const namespaces = 200
/** The number of objects per kind and their approximate size as JSON. Other kinds are empty. */
const kinds: Readonly<Record<string, { count: number; bytes: number }>> = {
  namespaces: { count: namespaces, bytes: 800 },
  virtualmachines: { count: 10_000, bytes: 10_000 },
  datavolumes: { count: 10_000, bytes: 3_000 },
  persistentvolumeclaims: { count: 10_000, bytes: 3_000 },
  volumesnapshots: { count: 10_000, bytes: 2_000 },
  'network-attachment-definitions': { count: 400, bytes: 1_200 },
  networkpolicies: { count: namespaces, bytes: 1_500 },
  resourcequotas: { count: namespaces, bytes: 1_000 },
}

const watchers = new Map<string, Set<ServerResponse>>()
let version = 1_000_000

function textOf(plural: string, index: number, resourceVersion: number): string {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const metadata = {
    name: `${plural.slice(0, 2)}-${index}`,
    namespace: `tenant-${index % namespaces}`,
    uid: id,
    resourceVersion: String(resourceVersion),
    labels: { 'berth.dev/managed-by': 'berth', 'berth.dev/row-id': id },
    managedFields: 'x'.repeat((kinds[plural]?.bytes ?? 0) / 3),
  }
  return JSON.stringify({
    metadata,
    spec: { text: 'y'.repeat((kinds[plural]?.bytes ?? 0) / 2) },
    status: { printableStatus: 'Running' },
  })
}

function list(plural: string, query: URLSearchParams, response: ServerResponse): void {
  const { count } = kinds[plural] ?? { count: 0 }
  const from = Number(query.get('continue') ?? 0)
  const to = Math.min(count, from + Number(query.get('limit') ?? count))
  const items = Array.from({ length: to - from }, (_, offset) =>
    textOf(plural, from + offset, from + offset),
  )
  const after = to < count ? `,"continue":"${to}"` : ''
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`{"metadata":{"resourceVersion":"${version}"${after}},"items":[${items.join(',')}]}`)
}

function watch(plural: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  const all = watchers.get(plural) ?? new Set()
  watchers.set(plural, all.add(response))
  response.once('close', () => all.delete(response))
}

async function sendEvents({ perSecond, seconds }: EventsRequest): Promise<EventsSent> {
  const startedMs = performance.now()
  let count = 0
  while (count < perSecond * seconds) {
    const due = Math.min(
      perSecond * seconds,
      Math.floor(((performance.now() - startedMs) / 1000) * perSecond),
    )
    for (; count < due; count += 1) {
      const line = `{"type":"MODIFIED","object":${textOf('virtualmachines', count % 10_000, ++version)}}\n`
      for (const response of watchers.get('virtualmachines') ?? []) response.write(line)
    }
    await pause(5)
  }
  return { count, lastAtMs: Date.now() }
}

const { ca, cert, key } = makeServingCertificates()
const server = createServer({ cert, key }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://cluster')
  const plural = pathname.split('/').at(-1) ?? ''
  if (searchParams.has('watch')) watch(plural, response)
  else list(plural, searchParams, response)
})
server.listen(0, '127.0.0.1', () => {
  // The address of a TCP server is an AddressInfo.
  serveRequests<EventsRequest>(
    { port: (server.address() as AddressInfo).port, url: ca },
    sendEvents,
  )
})
