import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* The same events in two API groups, which have different field names. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  await sandbox.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'news' } } })
})
afterAll(() => sandbox.stop())

const core = '/api/v1/namespaces/news/events'
const own = '/apis/events.k8s.io/v1/namespaces/news/events'
const podReference = { kind: 'Pod', namespace: 'news', name: 'p' }

const post = (path: string, body: unknown): Promise<KubeAnswer> =>
  sandbox.call(path, { method: 'POST', body })
const readObject = async (path: string): Promise<Record<string, unknown>> =>
  // The body is a JSON object of the kind at the path.
  JSON.parse((await sandbox.call(path)).text) as Record<string, unknown>

const older = {
  reason: 'Seen',
  message: 'was seen',
  type: 'Normal',
  count: 3,
  source: { component: 'eye' },
  involvedObject: podReference,
}
const newer = {
  reason: 'Heard',
  note: 'was heard',
  type: 'Warning',
  action: 'Listen',
  regarding: podReference,
  reportingController: 'example.com/ear',
  reportingInstance: 'ear-1',
  eventTime: '2026-01-01T00:00:00.000000Z',
}

test('an event of the core group has the field names of events.k8s.io there', async () => {
  await post(core, { metadata: { name: 'older' }, ...older })
  const event = await readObject(`${own}/older`)
  expect(event).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    note: 'was seen',
    regarding: podReference,
    deprecatedCount: 3,
    deprecatedSource: { component: 'eye' },
  })
  expect(
    ['message', 'involvedObject', 'count', 'source'].filter((field) => field in event),
  ).toEqual([])
})

test('an event that is created in events.k8s.io exists in the core group', async () => {
  const created = await post(own, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'newer' },
    ...newer,
  })
  expect([created.status, JSON.parse(created.text)]).toMatchObject([
    201,
    { apiVersion: 'events.k8s.io/v1', note: 'was heard' },
  ])
  expect(await readObject(`${core}/newer`)).toMatchObject({
    apiVersion: 'v1',
    message: 'was heard',
    involvedObject: podReference,
    reportingComponent: 'example.com/ear',
  })
})

test('lists and selectors use the field names of the requested group', async () => {
  await post(core, {
    metadata: { name: 'other' },
    ...older,
    involvedObject: { ...podReference, name: 'q' },
  })
  const list = await readObject(`${own}?fieldSelector=regarding.name%3Dq`)
  expect(list).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'EventList',
    items: [{ metadata: { name: 'other' }, note: 'was seen' }],
  })
})

test.each([
  { type: 'application/merge-patch+json', patch: { note: 'by merge' }, message: 'by merge' },
  {
    type: 'application/json-patch+json',
    patch: [{ op: 'replace', path: '/note', value: 'by steps' }],
    message: 'by steps',
  },
])(
  'a patch of type $type uses the field names of the requested group',
  async ({ type, patch, message }) => {
    await post(core, { metadata: { name: 'patched' }, ...older })
    const { status } = await sandbox.call(`${own}/patched`, {
      method: 'PATCH',
      headers: { 'content-type': type },
      body: patch,
    })
    expect([status, (await readObject(`${core}/patched`))['message']]).toEqual([200, message])
  },
)

test('a watch reports core events with the field names of its group', async () => {
  await post(core, { metadata: { name: 'watched' }, ...older })
  const { text } = await sandbox.call(
    `${own}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched`,
  )
  expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({
    type: 'ADDED',
    object: { apiVersion: 'events.k8s.io/v1', note: 'was seen' },
  })
})

test('the group events.k8s.io requires the reporter, the reason and the time', async () => {
  const { status, body } = await post(own, {
    metadata: { name: 'poor' },
    regarding: podReference,
    note: 'x',
    deprecatedCount: 2,
  })
  const fields = body.details?.causes?.map(({ field }) => field)
  expect([status, fields]).toEqual([
    422,
    ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'type', 'count'],
  ])
  expect(
    (await post(core, { metadata: { name: 'poor' }, involvedObject: podReference })).status,
  ).toBe(201)
})

test('discovery and OpenAPI contain the group events.k8s.io', async () => {
  expect(await readObject('/apis/events.k8s.io/v1')).toMatchObject({
    resources: [{ name: 'events', kind: 'Event', shortNames: ['ev'] }],
  })
  const document = await readObject('/openapi/v3/apis/events.k8s.io/v1')
  expect(document).toMatchObject({
    components: {
      schemas: { 'io.k8s.api.events.v1.Event': { properties: { note: { type: 'string' } } } },
    },
  })
})
