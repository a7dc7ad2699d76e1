import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pod, type UnscheduledPods, unscheduledPods } from '../support/unscheduled-pods.ts'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* Subresources of built-in kinds: their discovery and their behaviour. */

let sandbox: RunningSandbox
let pods: UnscheduledPods
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.05 })
  pods = await unscheduledPods(sandbox, 'parts')
})
afterAll(() => sandbox.stop())

const core = '/api/v1/namespaces/parts'
const apps = '/apis/apps/v1/namespaces/parts'

const post = (path: string, body: unknown): Promise<KubeAnswer> =>
  sandbox.call(path, { method: 'POST', body })

// Each test reads only fields that its own response has.
const readObject = async <T>(path: string): Promise<T> =>
  JSON.parse((await sandbox.call(path)).text) as T

test('every subresource in discovery supports exactly its listed verbs', async () => {
  const methods: Record<string, string> = {
    get: 'GET',
    create: 'POST',
    update: 'PUT',
    patch: 'PATCH',
    delete: 'DELETE',
  }
  const { groups } = await readObject<{ groups: { versions: { groupVersion: string }[] }[] }>(
    '/apis',
  )
  const versions = groups.flatMap((group) =>
    group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
  )
  const own = versions.filter((root) => !root.includes('subresources.kubevirt.io'))
  for (const root of ['/api/v1', ...own]) {
    const { resources } = await readObject<{
      resources: { name: string; namespaced: boolean; verbs: string[] }[]
    }>(root)
    for (const { name, namespaced, verbs } of resources.filter((each) => each.name.includes('/'))) {
      const [plural, part] = name.split('/')
      const path = `${root}${namespaced ? '/namespaces/parts' : ''}/${plural}/nothing/${part}`
      for (const [verb, method] of Object.entries(methods)) {
        const { status } = await sandbox.call(path, {
          method,
          ...(method === 'GET' ? {} : { body: {} }),
        })
        const isServed = status !== 405
        expect(isServed, `${verb} ${path}`).toBe(verbs.includes(verb))
      }
    }
  }
})

test('a binding sets the node of a pod once and does not increase its generation', async () => {
  await pods.make('bound')
  const node = await pods.firstNode()
  const { status, body } = await pods.bind('bound', node)
  expect([status, body.status]).toEqual([201, 'Success'])
  const pod = await readObject<Pod>(`${core}/pods/bound`)
  expect([pod.spec.nodeName, pod.metadata.generation]).toEqual([node, 1])
  const again = await pods.bind('bound', node, `${core}/bindings`)
  expect([again.status, again.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "${node}"`,
  ])
})

test('the subresource ephemeralcontainers changes only ephemeral containers', async () => {
  await pods.make('debugged')
  const pod = await readObject<Pod>(`${core}/pods/debugged`)
  const containers = pod.spec.containers.map((each) => ({ ...each, image: 'other' }))
  const body = {
    ...pod,
    spec: { ...pod.spec, containers, ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
  }
  const { status } = await sandbox.call(`${core}/pods/debugged/ephemeralcontainers`, {
    method: 'PUT',
    body,
  })
  const { spec } = await readObject<Pod>(`${core}/pods/debugged`)
  expect([status, spec.containers[0]?.image, spec.ephemeralContainers?.[0]?.name]).toEqual([
    200,
    'busybox',
    'debug',
  ])
})

test('the subresource resize changes only container resources', async () => {
  await pods.make('resized')
  const resources = { requests: { cpu: '2' } }
  const patch = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'other', resources }] },
  }
  const { status } = await sandbox.call(`${core}/pods/resized/resize`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: patch,
  })
  const { spec } = await readObject<Pod>(`${core}/pods/resized`)
  expect([status, spec.containers[0]]).toMatchObject([200, { image: 'busybox', resources }])
})

interface Scale {
  kind: string
  apiVersion: string
  metadata: { name: string; resourceVersion: string }
  spec: { replicas?: number }
  status: { replicas: number; selector?: string }
}

test('the subresource scale shows replicas and selector and changes only the replicas', async () => {
  const selector = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }],
  }
  await post(`${apps}/deployments`, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: {} },
  })
  const path = `${apps}/deployments/web/scale`
  const scale = await readObject<Scale>(path)
  expect(scale).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    spec: { replicas: 2 },
    status: { replicas: 0, selector: 'a=1,b=2,c in (x,y)' },
  })
  const stale = {
    ...scale,
    metadata: { ...scale.metadata, resourceVersion: '1' },
    spec: { replicas: 3 },
  }
  expect((await sandbox.call(path, { method: 'PUT', body: stale })).status).toBe(409)
  const negative = await sandbox.call(path, {
    method: 'PUT',
    body: { ...scale, spec: { replicas: -1 } },
  })
  expect([negative.status, negative.body.message]).toEqual([
    422,
    'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ])
  expect(
    (await sandbox.call(path, { method: 'PUT', body: { ...scale, spec: { replicas: 5 } } })).status,
  ).toBe(200)
  const patched = await sandbox.call(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { replicas: 0 } },
  })
  expect(patched.status).toBe(200)
  const { spec, metadata } = await readObject<{
    spec: object
    metadata: { managedFields: { subresource?: string }[] }
  }>(`${apps}/deployments/web`)
  expect(spec).toEqual({ replicas: 0, selector, template: {} })
  expect(metadata.managedFields.some(({ subresource }) => subresource === 'scale')).toBe(true)
})

test('a replica set without replicas cannot be scaled', async () => {
  const sets = '/apis/kubevirt.io/v1/namespaces/parts/virtualmachineinstancereplicasets'
  await post(sets, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    metadata: { name: 's' },
    spec: {},
  })
  const { status, body } = await sandbox.call(`${sets}/s/scale`)
  expect([status, body.reason, body.message]).toEqual([
    500,
    'InternalError',
    'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
  ])
})

test.each([
  {
    path: 'pods/entered/exec?container=nosuch&command=ls',
    status: 400,
    message: 'container nosuch is not valid for pod entered',
  },
  { path: 'pods/nosuch/exec?command=ls', status: 404, message: 'pods "nosuch" not found' },
  { path: 'pods/entered/exec?command=ls', status: 400, message: 'Upgrade request required' },
  { path: 'pods/entered/portforward', status: 400, message: 'Upgrade request required' },
  {
    path: 'pods/entered:80/proxy/',
    status: 503,
    message: /^error trying to reach service: dial tcp [\d.]+:80: connect: connection refused$/,
  },
  { path: 'pods/a:b:c:d/proxy/', status: 400, message: 'invalid pod request "a:b:c:d"' },
  {
    path: 'services/front/proxy/index.html',
    status: 503,
    message: 'no endpoints available for service "front"',
  },
  {
    path: 'services/front:nosuch/proxy/',
    status: 503,
    message: 'no service port "nosuch" found for service "front"',
  },
])('the path $path fails with $status: $message', async ({ path, status, message }) => {
  if ((await sandbox.call(`${core}/pods/entered`)).status === 404) {
    await pods.run('entered')
    await post(`${core}/services`, {
      metadata: { name: 'front' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    })
  }
  const answer = await sandbox.call(`${core}/${path}`)
  const matches: unknown = typeof message === 'string' ? message : expect.stringMatching(message)
  expect([answer.status, answer.body.message]).toEqual([status, matches])
})

test('an upgrade to a container fails because nothing listens on the node', async () => {
  await pods.run('upgraded')
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' }
  const { status, body } = await sandbox.call(`${core}/pods/upgraded/attach`, {
    method: 'POST',
    headers,
  })
  expect([status, body.message]).toEqual([
    500,
    expect.stringMatching(/^error dialing backend: dial tcp [\d.]+:10250: connect: /),
  ])
})

test('the root of a proxy redirects to the path with a slash', async () => {
  const { status, headers } = await sandbox.call(
    `/api/v1/nodes/${await pods.firstNode()}/proxy?a=b`,
  )
  expect([status, headers['location']]).toEqual([301, expect.stringMatching(/\/proxy\/\?a=b$/)])
})

test('the components of the cluster are healthy', async () => {
  const { items } = await readObject<{
    items: { metadata: { name: string }; conditions: { type: string; status: string }[] }[]
  }>('/api/v1/componentstatuses')
  expect(items.map(({ metadata }) => metadata.name).sort()).toEqual([
    'controller-manager',
    'etcd-0',
    'scheduler',
  ])
  const { status, body } = await sandbox.call('/api/v1/componentstatuses/nosuch')
  expect([status, body.message]).toEqual([404, 'componentstatuses "nosuch" not found'])
})

test('the subresource approval changes only the conditions of a request', async () => {
  const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  await post(requests, {
    metadata: { name: 'r' },
    spec: { request: 'eA==', signerName: 'example.com/s', usages: ['client auth'] },
  })
  const request = await readObject<{ spec: object; status?: object }>(`${requests}/r`)
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Seen', message: 'fine' }]
  const body = {
    ...request,
    spec: { ...request.spec, signerName: 'other' },
    status: { conditions, certificate: 'eA==' },
  }
  expect((await sandbox.call(`${requests}/r/approval`, { method: 'PUT', body })).status).toBe(200)
  const { spec, status } = await readObject<{ spec: object; status: object }>(`${requests}/r`)
  expect([spec, status]).toMatchObject([request.spec, { conditions }])
  expect(status).not.toHaveProperty('certificate')
})
