import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster } from '../../server/src/cluster/kubevirt/cluster.ts'
import { Fault } from '../../server/src/domain/fault.ts'
import { gatewayTo } from '../support/gateway.ts'
import { answerJson, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts'

/*
 * The client library folds dots: deleting `..` deletes the namespace. Whatever text reaches a gateway method as a name, either nothing leaves, or
 * exactly one object is addressed.
 */
const tenant = { tenantId: '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f', rowId: '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f' }
const uid = '11111111-2222-3333-4444-555555555555'

const methods: Record<string, (cluster: Cluster, name: string) => Promise<unknown>> = {
  getNamespace: ({ reader }, name) => reader.getNamespace({ name }),
  applyNamespace: ({ writer }, name) => writer.applyNamespace({ name, ...tenant, uid: null }),
  applyNamespaceAgain: ({ writer }, name) => writer.applyNamespace({ name, ...tenant, uid }),
  applyWithRowId: ({ writer }, name) => writer.applyNamespace({ name: 'acme', tenantId: name, rowId: name, uid }),
  deleteNamespace: ({ writer }, name) => writer.deleteNamespace({ name }, uid),
}

// Written down again on purpose: the product must not be the judge of its own gate.
const isLabel = (text: string): boolean => text.length <= 63 && /^[a-z0-9]+(-+[a-z0-9]+)*$/.test(text) && !text.includes('\n')

let server: ScriptedServer
let cluster: Cluster

beforeAll(async () => {
  server = await scriptedServer((_request, response) =>
    answerJson(response, 200, { metadata: { name: 'x', uid, resourceVersion: '1', labels: {} }, status: { phase: 'Active' } }),
  )
  cluster = gatewayTo(server)
})

afterAll(async () => {
  await cluster.close()
  await server.close()
})

const nasty = fc.constantFrom(
  '..',
  '.',
  '',
  '/',
  'a/b',
  '../..',
  '%2e%2e',
  '%2E',
  '..%2f',
  'a\0b',
  'a b',
  'A',
  'ä',
  '-a',
  'a-',
  'a'.repeat(64),
  'a'.repeat(300),
  '․․',
  'a\n',
  '?watch=1',
  'a#b',
)
const anything = fc.oneof(
  { arbitrary: nasty, weight: 3 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 2 },
  { arbitrary: fc.stringMatching(/^[a-z0-9.-]{1,70}$/), weight: 1 },
)

function expectOneObject(name: string): void {
  const allowed = [`/api/v1/namespaces/${name}`, '/api/v1/namespaces', '/api/v1/namespaces/acme']
  for (const { method, path } of server.requests) {
    const [pure = ''] = path.split('?')
    expect(allowed).toContain(pure)
    if (method !== 'POST') expect(pure).not.toBe('/api/v1/namespaces')
  }
}

test.each(Object.keys(methods))('%s sends nothing for a text that is no name, and addresses one object otherwise', async (method) => {
  await fc.assert(
    fc.asyncProperty(anything, async (name) => {
      server.requests.length = 0
      const outcome = await methods[method]?.(cluster, name).then(
        () => 'answered',
        (error: unknown) => (error instanceof Fault ? error.code : 'failed'),
      )
      if (!isLabel(name)) {
        expect(outcome).toBe('invalid_input')
        expect(server.requests).toEqual([])
      }
      expectOneObject(name)
    }),
    // Most texts are refused before the token bucket; the few that pass are paced by it.
    { numRuns: 120 },
  )
})

test('a list always asks for ours only, and its continue token cannot leave the query', async () => {
  server.requests.length = 0
  await cluster.reader.listNamespaces({ limit: 5, after: '../../secrets?x=1&labelSelector=' })
  const [path = '', query = ''] = server.requests[0]?.path.split('?') ?? []
  expect(path).toBe('/api/v1/namespaces')
  expect(new URLSearchParams(query).getAll('labelSelector')).toEqual(['berth.dev/managed-by=berth'])
})
