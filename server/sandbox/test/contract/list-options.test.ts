import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* Parameters of lists and watches. The answers are those of a real API server. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 1000 })
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lists' } },
  })
  for (const name of ['a', 'b'])
    await sandbox.call(path, {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    })
})
afterAll(() => sandbox.stop())

const path = '/api/v1/namespaces/lists/configmaps'
const needsVersion = 'resourceVersionMatch is forbidden unless resourceVersion is provided'
const needsInitial =
  'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'
const whenContinued = 'resourceVersionMatch is forbidden when continue is provided'
const notForLists = 'sendInitialEvents is forbidden for list'
const needsMatch = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'
const unsupported = (value: string, ...supported: string[]): string =>
  `Unsupported value: "${value}": supported values: ${supported.map((each) => `"${each}"`).join(', ')}`

const refused: { query: string; why: string[] }[] = [
  { query: 'resourceVersionMatch=Exact', why: [needsVersion] },
  {
    query: 'resourceVersionMatch=Foo&continue=abc',
    why: [needsVersion, whenContinued, unsupported('Foo', 'Exact', 'NotOlderThan', '')],
  },
  {
    query: 'resourceVersion=0&resourceVersionMatch=Exact',
    why: ['resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
  },
  { query: 'sendInitialEvents=true', why: [notForLists] },
  {
    query: 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    why: [needsVersion, notForLists],
  },
  { query: 'watch=true&resourceVersionMatch=NotOlderThan', why: [needsInitial] },
  {
    query: 'watch=true&resourceVersionMatch=Exact',
    why: [needsInitial, unsupported('Exact', 'NotOlderThan')],
  },
  { query: 'watch=true&sendInitialEvents=true', why: [needsMatch] },
  {
    query: 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=abc',
    why: [whenContinued],
  },
]

test.each(refused)('a request with $query is refused with every cause', async ({ query, why }) => {
  const { status, body } = await sandbox.call(`${path}?${query}`)
  const messages = (body.details?.causes ?? []).map(({ message }) =>
    message.replace('Forbidden: ', ''),
  )
  expect([status, messages]).toEqual([422, why])
})

test.each([
  { query: 'resourceVersion=abc', status: 400 },
  { query: 'watch=true&resourceVersion=abc', status: 500 },
  { query: 'timeoutSeconds=abc', status: 400 },
  { query: 'limit=-1', status: 200 },
])('a request with $query gets the status $status', async ({ query, status }) => {
  expect((await sandbox.call(`${path}?${query}`)).status).toBe(status)
})

/** Returns the types and names of the events of a watch that ends after a second. */
async function eventsOf(url: string): Promise<string[]> {
  const { text } = await sandbox.call(url)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const { type, object } = JSON.parse(line) as {
      type: string
      object: { metadata?: { name?: string }; reason?: string }
    }
    return `${type} ${object.metadata?.name ?? object.reason ?? ''}`.trim()
  })
}

test.each([
  '/api/v1/watch/namespaces/lists/configmaps?timeoutSeconds=1',
  '/api/v1/watch/namespaces/lists/configmaps?timeoutSeconds=1&watch=false',
])('the deprecated path %s is a watch', async (url) => {
  expect(await eventsOf(url)).toEqual(['ADDED a', 'ADDED b'])
})

test('the deprecated path of a single object watches only that object', async () => {
  const url = '/api/v1/watch/namespaces/lists/configmaps/a?timeoutSeconds=1'
  expect(await eventsOf(url)).toEqual(['ADDED a'])
})

test('a watch from a future version waits, and one with initial events fails', async () => {
  const future = `${path}?watch=true&timeoutSeconds=1&resourceVersion=99999999`
  expect(await eventsOf(future)).toEqual([])
  const initial = `${future}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`
  expect(await eventsOf(initial)).toEqual(['ERROR Timeout'])
})

test('a watch that refuses initial events sends only changes', async () => {
  // A controller may still create the ConfigMap kube-root-ca.crt in the new namespace.
  const query =
    'watch=true&timeoutSeconds=1&sendInitialEvents=false&fieldSelector=metadata.name%3Da'
  expect(await eventsOf(`${path}?${query}&resourceVersionMatch=NotOlderThan`)).toEqual([])
})
