import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { Fault } from '../../../server/src/engine/model/fault.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { operations, rowId, uid } from '../../support/cluster/gateway-operations.ts'
import {
  answerJson,
  type SecureServer,
  secureServer,
} from '../../support/cluster/scripted-server.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * The client library folds dots: deleting `..` deletes the namespace. Whatever text reaches a
 * gateway method as a name, either nothing leaves, or exactly one object is addressed.
 */
// Written down again on purpose: the product must not be the judge of its own gate.
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
const anything = fc.oneof(
  { arbitrary: nasty, weight: 3 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 2 },
  { arbitrary: fc.stringMatching(/^[a-z0-9.-]{1,70}$/), weight: 1 },
)

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error instanceof Fault ? error.code : 'failed'),
  )

/**
 * A good name most of the time, so that the bad one is not always refused for the sake of the
 * other.
 */
const places = fc.oneof(
  fc.record({ namespace: fc.constant('good'), name: anything }),
  fc.record({ namespace: anything, name: fc.constant('good') }),
  fc.record({ namespace: anything, name: anything }),
)

describe.each(Object.entries(operations))('%s', (_name, { takes = ['name'], run, paths }) => {
  test('sends nothing for a text that is no name, and asks for exactly its own path otherwise', async () => {
    // Of its own, for a token bucket of its own.
    const own = gatewayTo(server)
    await fc.assert(
      fc.asyncProperty(places, async (place) => {
        server.requests.length = 0
        const outcome = await outcomeOf(run(own, place))
        const isGood = takes.every((part) => isLabel(place[part]))
        if (!isGood)
          expect({ outcome, requests: server.requests }).toEqual({
            outcome: 'invalid_input',
            requests: [],
          })
        for (const request of server.requests)
          expect(paths(place)).toContain(request.path.split('?')[0])
        if (isGood) expect(server.requests.length).toBeGreaterThan(0)
      }),
      // Most texts are refused before the token bucket; the few that pass are paced by it.
      { numRuns: takes.length > 0 ? 100 : 5 },
    )
    await own.close()
  })
})

test('no operation of the gateway is missing above', () => {
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

test('an id that is no id never becomes a label', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (id) => {
      server.requests.length = 0
      const outcome = await outcomeOf(
        cluster.writer.applyNamespace({ name: 'acme', tenantId: id, rowId: id, uid }),
      )
      if (!isLabel(id))
        expect({ outcome, requests: server.requests }).toEqual({
          outcome: 'invalid_input',
          requests: [],
        })
    }),
    { numRuns: 60 },
  )
})

test('a list always asks for ours only, and its continue token cannot leave the query', async () => {
  server.requests.length = 0
  await cluster.reader.listNamespaces({ limit: 5, after: '../../secrets?x=1&labelSelector=' })
  const [path = '', query = ''] = server.requests[0]?.path.split('?') ?? []
  expect(path).toBe('/api/v1/namespaces')
  expect(new URLSearchParams(query).getAll('labelSelector')).toEqual(['berth.dev/managed-by=berth'])
})
