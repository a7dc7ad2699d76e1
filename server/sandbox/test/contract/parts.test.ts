import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/* Parts of objects that have paths of their own: what discovery says of them, and what they do. */

let sandbox: RunningSandbox
let guests: GuestWorld
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.05 })
  guests = await guestWorld(sandbox, 'parts')
})
afterAll(() => sandbox.stop())

const core = '/api/v1/namespaces/parts'
const apps = '/apis/apps/v1/namespaces/parts'

const post = (path: string, body: unknown): Promise<KubeAnswer> =>
  sandbox.call(path, { method: 'POST', body })

// Each test reads only what the answer to its own request holds.
const told = async <T>(path: string): Promise<T> => JSON.parse((await sandbox.call(path)).text) as T

interface Pod {
  metadata: {
    name: string
    generation: number
    deletionTimestamp?: string
    labels: Record<string, string>
  }
  spec: {
    nodeName?: string
    containers: { name: string; image: string; resources?: unknown }[]
    ephemeralContainers?: { name: string }[]
  }
  status: { phase?: string; conditions?: { type: string; reason?: string }[] }
}

/** A pod that nothing schedules, for the tests to place. */
async function unplacedPod(name: string, more: object = {}): Promise<void> {
  const containers = [{ name: 'a', image: 'busybox' }]
  const { status, text } = await post(`${core}/pods`, {
    metadata: { name, labels: { app: name } },
    spec: { schedulerName: 'nobody', containers, ...more },
  })
  if (status !== 201) throw new TypeError(text)
}

const bind = (
  name: string,
  node = 'node1',
  path = `${core}/pods/${name}/binding`,
): Promise<KubeAnswer> =>
  post(path, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { kind: 'Node', name: node },
  })

const evict = (name: string, more: object = {}): Promise<KubeAnswer> =>
  post(`${core}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  })

const firstNode = async (): Promise<string> =>
  (await told<{ items: { metadata: { name: string } }[] }>('/api/v1/nodes')).items[0]?.metadata
    .name ?? ''

async function runningPod(name: string): Promise<void> {
  await unplacedPod(name)
  await bind(name, await firstNode())
  const runs = async (): Promise<boolean> =>
    (await told<Pod>(`${core}/pods/${name}`)).status.phase === 'Running'
  await waitFor(runs, { what: `${name} to run`, timeoutMs: 10_000 })
}

test('every part that discovery names takes the verbs that it names', async () => {
  const methods: Record<string, string> = {
    get: 'GET',
    create: 'POST',
    update: 'PUT',
    patch: 'PATCH',
    delete: 'DELETE',
  }
  const { groups } = await told<{ groups: { versions: { groupVersion: string }[] }[] }>('/apis')
  const versions = groups.flatMap((group) =>
    group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
  )
  const own = versions.filter((root) => !root.includes('subresources.kubevirt.io'))
  for (const root of ['/api/v1', ...own]) {
    const { resources } = await told<{
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

test('a binding gives a pod its node once, and is no change of what was asked for', async () => {
  await unplacedPod('bound')
  const node = await firstNode()
  const { status, body } = await bind('bound', node)
  expect([status, body.status]).toEqual([201, 'Success'])
  const pod = await told<Pod>(`${core}/pods/bound`)
  expect([pod.spec.nodeName, pod.metadata.generation]).toEqual([node, 1])
  const again = await bind('bound', node, `${core}/bindings`)
  expect([again.status, again.body.message]).toEqual([
    409,
    `Operation cannot be fulfilled on pods/binding "bound": pod bound is already assigned to node "${node}"`,
  ])
})

test('ephemeral containers come through their part only, and it changes nothing else', async () => {
  await unplacedPod('debugged')
  const pod = await told<Pod>(`${core}/pods/debugged`)
  const containers = pod.spec.containers.map((each) => ({ ...each, image: 'other' }))
  const body = {
    ...pod,
    spec: { ...pod.spec, containers, ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
  }
  const { status } = await sandbox.call(`${core}/pods/debugged/ephemeralcontainers`, {
    method: 'PUT',
    body,
  })
  const { spec } = await told<Pod>(`${core}/pods/debugged`)
  expect([status, spec.containers[0]?.image, spec.ephemeralContainers?.[0]?.name]).toEqual([
    200,
    'busybox',
    'debug',
  ])
})

test('a resize changes what containers may use, and nothing else', async () => {
  await unplacedPod('resized')
  const resources = { requests: { cpu: '2' } }
  const patch = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'other', resources }] },
  }
  const { status } = await sandbox.call(`${core}/pods/resized/resize`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: patch,
  })
  const { spec } = await told<Pod>(`${core}/pods/resized`)
  expect([status, spec.containers[0]]).toMatchObject([200, { image: 'busybox', resources }])
})

test('an evicted pod goes as a deleted one does', async () => {
  await runningPod('evicted')
  const { status, body } = await evict('evicted')
  expect([status, body.status]).toEqual([201, 'Success'])
  const gone = async (): Promise<boolean> =>
    (await sandbox.call(`${core}/pods/evicted`)).status === 404
  await waitFor(gone, { what: 'the evicted pod to go', timeoutMs: 20_000 })
})

test('a dry run evicts nothing', async () => {
  await runningPod('spared')
  expect((await evict('spared', { deleteOptions: { dryRun: ['All'] } })).status).toBe(201)
  const { metadata, status } = await told<Pod>(`${core}/pods/spared`)
  expect([
    metadata.deletionTimestamp,
    status.conditions?.some(({ type }) => type === 'DisruptionTarget'),
  ]).toEqual([undefined, false])
})

test('a budget without disruptions left keeps a pod, and one with some pays with one', async () => {
  await runningPod('needed')
  const budgets = '/apis/policy/v1/namespaces/parts/poddisruptionbudgets'
  await post(budgets, {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'needed' } } },
  })
  const say = (disruptionsAllowed: number): Promise<KubeAnswer> =>
    sandbox.call(`${budgets}/b/status`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: {
        status: { observedGeneration: 1, disruptionsAllowed, desiredHealthy: 1, currentHealthy: 1 },
      },
    })
  const unseen = await evict('needed')
  expect([unseen.status, unseen.headers['retry-after']]).toEqual([429, '10'])
  await say(0)
  const refused = await evict('needed')
  expect([refused.status, refused.body.details?.causes?.[0]?.message]).toEqual([
    429,
    'The disruption budget b needs 1 healthy pods and has 1 currently',
  ])
  await say(1)
  expect((await evict('needed')).status).toBe(201)
  const { status } = await told<{ status: { disruptionsAllowed: number; disruptedPods: object } }>(
    `${budgets}/b`,
  )
  expect([status.disruptionsAllowed, Object.keys(status.disruptedPods)]).toEqual([0, ['needed']])
})

interface Scale {
  kind: string
  apiVersion: string
  metadata: { name: string; resourceVersion: string }
  spec: { replicas?: number }
  status: { replicas: number; selector?: string }
}

test('a scale tells how many are wanted of what is selected, and changes only that', async () => {
  const selector = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }],
  }
  await post(`${apps}/deployments`, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: {} },
  })
  const path = `${apps}/deployments/web/scale`
  const scale = await told<Scale>(path)
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
  const { spec, metadata } = await told<{
    spec: object
    metadata: { managedFields: { subresource?: string }[] }
  }>(`${apps}/deployments/web`)
  expect(spec).toEqual({ replicas: 0, selector, template: {} })
  expect(metadata.managedFields.some(({ subresource }) => subresource === 'scale')).toBe(true)
})

test('a set of instances without a number cannot be scaled', async () => {
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
    says: 'container nosuch is not valid for pod entered',
  },
  { path: 'pods/nosuch/exec?command=ls', status: 404, says: 'pods "nosuch" not found' },
  { path: 'pods/entered/exec?command=ls', status: 400, says: 'Upgrade request required' },
  { path: 'pods/entered/portforward', status: 400, says: 'Upgrade request required' },
  {
    path: 'pods/entered:80/proxy/',
    status: 503,
    says: /^error trying to reach service: dial tcp [\d.]+:80: connect: connection refused$/,
  },
  { path: 'pods/a:b:c:d/proxy/', status: 400, says: 'invalid pod request "a:b:c:d"' },
  {
    path: 'services/front/proxy/index.html',
    status: 503,
    says: 'no endpoints available for service "front"',
  },
  {
    path: 'services/front:nosuch/proxy/',
    status: 503,
    says: 'no service port "nosuch" found for service "front"',
  },
])('$path is answered with $status: $says', async ({ path, status, says }) => {
  if ((await sandbox.call(`${core}/pods/entered`)).status === 404) {
    await runningPod('entered')
    await post(`${core}/services`, {
      metadata: { name: 'front' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    })
  }
  const answer = await sandbox.call(`${core}/${path}`)
  const matches: unknown = typeof says === 'string' ? says : expect.stringMatching(says)
  expect([answer.status, answer.body.message]).toEqual([status, matches])
})

test('an upgrade to a container is refused as when nothing listens on its node', async () => {
  await runningPod('upgraded')
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

test('the root of a proxy gets its slash', async () => {
  const { status, headers } = await sandbox.call(`/api/v1/nodes/${await firstNode()}/proxy?a=b`)
  expect([status, headers['location']]).toEqual([301, expect.stringMatching(/\/proxy\/\?a=b$/)])
})

test('the components of the cluster are healthy', async () => {
  const { items } = await told<{
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

test('an approval changes the conditions of a request only', async () => {
  const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
  await post(requests, {
    metadata: { name: 'r' },
    spec: { request: 'eA==', signerName: 'example.com/s', usages: ['client auth'] },
  })
  const asked = await told<{ spec: object; status?: object }>(`${requests}/r`)
  const conditions = [{ type: 'Approved', status: 'True', reason: 'Seen', message: 'fine' }]
  const body = {
    ...asked,
    spec: { ...asked.spec, signerName: 'other' },
    status: { conditions, certificate: 'eA==' },
  }
  expect((await sandbox.call(`${requests}/r/approval`, { method: 'PUT', body })).status).toBe(200)
  const { spec, status } = await told<{ spec: object; status: object }>(`${requests}/r`)
  expect([spec, status]).toMatchObject([asked.spec, { conditions }])
  expect(status).not.toHaveProperty('certificate')
})

const instance = (name: string): string =>
  `/apis/kubevirt.io/v1/namespaces/parts/virtualmachineinstances/${name}`
const webhook =
  'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request:'

async function machine(name: string, evictionStrategy?: string): Promise<string> {
  await guests.run(name, evictionStrategy === undefined ? {} : { spec: { evictionStrategy } })
  const { items } = await told<{ items: Pod[] }>(
    `${core}/pods?labelSelector=kubevirt.io%3Dvirt-launcher,vm.kubevirt.io/name%3D${name}`,
  )
  return items[0]?.metadata.name ?? ''
}

const markOf = async (name: string): Promise<string | undefined> =>
  (await told<{ status: { evacuationNodeName?: string } }>(instance(name))).status
    .evacuationNodeName

test('a machine that is to live on moves when its pod is asked to go', async () => {
  const pod = await machine('moving', 'LiveMigrate')
  await waitFor(() => guests.isTrue('moving', 'LiveMigratable'), {
    what: 'the machine to be able to move',
    timeoutMs: 10_000,
  })
  const before = await told<{ status: { nodeName: string } }>(instance('moving'))
  const { status, body } = await evict(pod)
  expect([status, body.message, body.reason]).toEqual([
    429,
    `${webhook} Eviction triggered evacuation of VMI "parts/moving"`,
    undefined,
  ])
  const moved = async (): Promise<boolean> =>
    (await told<{ status: { nodeName: string } }>(instance('moving'))).status.nodeName !==
    before.status.nodeName
  await waitFor(moved, { what: 'the machine to move', timeoutMs: 20_000 })
})

test('a machine that somebody else moves is marked only', async () => {
  const pod = await machine('external', 'External')
  expect((await evict(pod)).status).toBe(429)
  expect(await markOf('external')).toBe((await told<Pod>(`${core}/pods/${pod}`)).spec.nodeName)
  expect((await evict(pod)).body.message).toBe(
    `${webhook} Evacuation in progress: Eviction triggered evacuation of VMI "parts/external"`,
  )
})

test.each([{ strategy: 'None' }, { strategy: undefined }])(
  'a machine with strategy $strategy goes with its pod',
  async ({ strategy }) => {
    const name = `lost-${String(strategy).toLowerCase()}`
    const pod = await machine(name, strategy)
    const { status } = await evict(pod)
    expect([status, await markOf(name)]).toEqual([201, undefined])
  },
)
