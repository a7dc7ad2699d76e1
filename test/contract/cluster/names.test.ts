import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { rowId, uid } from '../../support/cluster/gateway-operation.ts'
import { operations } from '../../support/cluster/gateway-operations.ts'
import {
  answerJson,
  type SecureServer,
  secureServer,
} from '../../support/cluster/scripted-server.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * The client library resolves dots in paths: deleting `..` deletes the namespace. For any text that
 * a gateway method receives as a name, it sends no request or addresses exactly one object.
 */
// Repeats the product's rule on purpose, so that the product does not check itself.
const isLabel = (text: string): boolean =>
  text.length <= 63 && /^[a-z0-9]+(-+[a-z0-9]+)*$/.test(text) && !text.includes('\n')

let server: SecureServer
let cluster: Cluster

beforeAll(async () => {
  server = await secureServer((_request, response) =>
    answerJson(response, 200, {
      metadata: { name: 'x', uid, resourceVersion: '1', labels: { 'berth.dev/row-id': rowId } },
      status: { phase: 'Active' },
    }),
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
const anyText = fc.oneof(
  { arbitrary: nasty, weight: 3 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 2 },
  { arbitrary: fc.stringMatching(/^[a-z0-9.-]{1,70}$/), weight: 1 },
)

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) =>
      String(error).includes('is not a valid name in the cluster') ? 'refused' : 'failed',
  )

/**
 * References with at least one good part most of the time, so that each part is also refused alone.
 */
const references = fc.oneof(
  fc.record({ namespace: fc.constant('good'), name: anyText }),
  fc.record({ namespace: anyText, name: fc.constant('good') }),
  fc.record({ namespace: anyText, name: anyText }),
)

describe.each(Object.entries(operations))('%s', (_name, { takes = ['name'], run, paths }) => {
  test('the gateway sends nothing for an invalid name and requests only its own path otherwise', async () => {
    // A separate gateway has a separate token bucket.
    const own = gatewayTo(server)
    await fc.assert(
      fc.asyncProperty(references, async (ref) => {
        server.requests.length = 0
        const outcome = await outcomeOf(run(own, ref))
        const isGood = takes.every((part) => isLabel(ref[part]))
        if (!isGood)
          expect({ outcome, requests: server.requests }).toEqual({
            outcome: 'refused',
            requests: [],
          })
        for (const request of server.requests)
          expect(paths(ref)).toContain(request.path.split('?')[0])
        if (isGood) expect(server.requests.length).toBeGreaterThan(0)
      }),
      // Most texts are refused before they reach the token bucket; it paces the few valid ones.
      { numRuns: takes.length > 0 ? 100 : 5 },
    )
    await own.close()
  })
})

test('every operation of the gateway is covered by these tests', () => {
  const tried = new Set(Object.values(operations).map(({ method }) => method))
  expect([...tried].sort()).toEqual(
    [
      ...Object.keys(cluster.reader),
      ...Object.keys(cluster.writer),
      ...Object.keys(cluster.streams),
    ]
      .filter(isUnique)
      .sort(),
  )
})

const isUnique = (name: string, index: number, all: readonly string[]): boolean =>
  all.indexOf(name) === index

test('an invalid id never becomes a label', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (id) => {
      server.requests.length = 0
      const outcome = await outcomeOf(
        cluster.writer.applyNamespace({ name: 'acme', tenantId: id, rowId: id, uid }),
      )
      if (!isLabel(id))
        expect({ outcome, requests: server.requests }).toEqual({
          outcome: 'refused',
          requests: [],
        })
    }),
    { numRuns: 60 },
  )
})

test('a list always selects objects that Berth manages, and its continue token stays inside the query', async () => {
  server.requests.length = 0
  await cluster.reader.listNamespaces({ limit: 5, after: '../../secrets?x=1&labelSelector=' })
  const [path = '', query = ''] = server.requests[0]?.path.split('?') ?? []
  expect(path).toBe('/api/v1/namespaces')
  expect(new URLSearchParams(query).getAll('labelSelector')).toEqual(['berth.dev/managed-by=berth'])
})
