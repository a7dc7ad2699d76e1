import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* The same events under two groups, which call their fields differently. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  await sandbox.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'news' } } })
})
afterAll(() => sandbox.stop())

const core = '/api/v1/namespaces/news/events'
const own = '/apis/events.k8s.io/v1/namespaces/news/events'
const about = { kind: 'Pod', namespace: 'news', name: 'p' }

const post = (path: string, body: unknown): Promise<KubeAnswer> =>
  sandbox.call(path, { method: 'POST', body })
const told = async (path: string): Promise<Record<string, unknown>> =>
  // An object of whatever kind is at the path.
  JSON.parse((await sandbox.call(path)).text) as Record<string, unknown>

const older = {
  reason: 'Seen',
  message: 'was seen',
  type: 'Normal',
  count: 3,
  source: { component: 'eye' },
  involvedObject: about,
}
const newer = {
  reason: 'Heard',
  note: 'was heard',
  type: 'Warning',
  action: 'Listen',
  regarding: about,
  reportingController: 'example.com/ear',
  reportingInstance: 'ear-1',
  eventTime: '2026-01-01T00:00:00.000000Z',
}

test('an event of the core group is told in the words of the other', async () => {
  await post(core, { metadata: { name: 'older' }, ...older })
  const event = await told(`${own}/older`)
  expect(event).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    note: 'was seen',
    regarding: about,
    deprecatedCount: 3,
    deprecatedSource: { component: 'eye' },
  })
  expect(
    ['message', 'involvedObject', 'count', 'source'].filter((field) => field in event),
  ).toEqual([])
})

test('an event that comes in the words of its own group is one of the core group', async () => {
  const made = await post(own, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'newer' },
    ...newer,
  })
  expect([made.status, JSON.parse(made.text)]).toMatchObject([
    201,
    { apiVersion: 'events.k8s.io/v1', note: 'was heard' },
  ])
  expect(await told(`${core}/newer`)).toMatchObject({
    apiVersion: 'v1',
    message: 'was heard',
    involvedObject: about,
    reportingComponent: 'example.com/ear',
  })
})

test('lists and selectors use the words of the group that was asked', async () => {
  await post(core, {
    metadata: { name: 'other' },
    ...older,
    involvedObject: { ...about, name: 'q' },
  })
  const list = await told(`${own}?fieldSelector=regarding.name%3Dq`)
  expect(list).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'EventList',
    items: [{ metadata: { name: 'other' }, note: 'was seen' }],
  })
})

test.each([
  { type: 'application/merge-patch+json', patch: { note: 'by merge' }, note: 'by merge' },
  {
    type: 'application/json-patch+json',
    patch: [{ op: 'replace', path: '/note', value: 'by steps' }],
    note: 'by steps',
  },
])('$type changes fields by the names that they have there', async ({ type, patch, note }) => {
  await post(core, { metadata: { name: 'patched' }, ...older })
  const { status } = await sandbox.call(`${own}/patched`, {
    method: 'PATCH',
    headers: { 'content-type': type },
    body: patch,
  })
  expect([status, (await told(`${core}/patched`))['message']]).toEqual([200, note])
})

test('a watch tells both kinds of events in the words of its group', async () => {
  await post(core, { metadata: { name: 'watched' }, ...older })
  const { text } = await sandbox.call(
    `${own}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched`,
  )
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    type: 'ADDED',
    object: { apiVersion: 'events.k8s.io/v1', note: 'was seen' },
  })
})

test('the group of events wants to know who reports what and when', async () => {
  const { status, body } = await post(own, {
    metadata: { name: 'poor' },
    regarding: about,
    note: 'x',
    deprecatedCount: 2,
  })
  const fields = body.details?.causes?.map(({ field }) => field)
  expect([status, fields]).toEqual([
    422,
    ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'type', 'count'],
  ])
  expect((await post(core, { metadata: { name: 'poor' }, involvedObject: about })).status).toBe(201)
})

test('discovery and the descriptions of the API name the group', async () => {
  expect(await told('/apis/events.k8s.io/v1')).toMatchObject({
    resources: [{ name: 'events', kind: 'Event', shortNames: ['ev'] }],
  })
  const document = await told('/openapi/v3/apis/events.k8s.io/v1')
  expect(document).toMatchObject({
    components: {
      schemas: { 'io.k8s.api.events.v1.Event': { properties: { note: { type: 'string' } } } },
    },
  })
})
