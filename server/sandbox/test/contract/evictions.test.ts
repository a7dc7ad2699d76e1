import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type KubeAnswer,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import { type UnscheduledPods, type Pod, unscheduledPods } from '../support/unscheduled-pods.ts'

/* Evictions of pods, including virt-launcher pods of VMs. */

let sandbox: RunningSandbox
let guests: GuestWorld
let pods: UnscheduledPods
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.05 })
  guests = await guestWorld(sandbox, 'evictions')
  pods = await unscheduledPods(sandbox, 'evictions')
})
afterAll(() => sandbox.stop())

const core = '/api/v1/namespaces/evictions'

const post = (path: string, body: unknown): Promise<KubeAnswer> =>
  sandbox.call(path, { method: 'POST', body })

// Each test reads only fields that its own response has.
const readObject = async <T>(path: string): Promise<T> =>
  JSON.parse((await sandbox.call(path)).text) as T

const evict = (name: string, more: object = {}): Promise<KubeAnswer> =>
  post(`${core}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name },
    ...more,
  })

test('an evicted pod is deleted', async () => {
  await pods.run('evicted')
  const { status, body } = await evict('evicted')
  expect([status, body.status]).toEqual([201, 'Success'])
  const gone = async (): Promise<boolean> =>
    (await sandbox.call(`${core}/pods/evicted`)).status === 404
  await waitFor(gone, { what: 'deletion of the evicted pod', timeoutMs: 20_000 })
})

test('a dry run of an eviction evicts no pod', async () => {
  await pods.run('spared')
  expect((await evict('spared', { deleteOptions: { dryRun: ['All'] } })).status).toBe(201)
  const { metadata, status } = await readObject<Pod>(`${core}/pods/spared`)
  expect([
    metadata.deletionTimestamp,
    status.conditions?.some(({ type }) => type === 'DisruptionTarget'),
  ]).toEqual([undefined, false])
})

test('a disruption budget refuses an eviction at zero and counts an allowed one', async () => {
  await pods.run('needed')
  const budgets = '/apis/policy/v1/namespaces/evictions/poddisruptionbudgets'
  await post(budgets, {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'needed' } } },
  })
  const setBudget = (disruptionsAllowed: number): Promise<KubeAnswer> =>
    sandbox.call(`${budgets}/b/status`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: {
        status: { observedGeneration: 1, disruptionsAllowed, desiredHealthy: 1, currentHealthy: 1 },
      },
    })
  const unprocessed = await evict('needed')
  expect([unprocessed.status, unprocessed.headers['retry-after']]).toEqual([429, '10'])
  await setBudget(0)
  const refused = await evict('needed')
  expect([refused.status, refused.body.details?.causes?.[0]?.message]).toEqual([
    429,
    'The disruption budget b needs 1 healthy pods and has 1 currently',
  ])
  await setBudget(1)
  expect((await evict('needed')).status).toBe(201)
  const { status } = await readObject<{
    status: { disruptionsAllowed: number; disruptedPods: object }
  }>(`${budgets}/b`)
  expect([status.disruptionsAllowed, Object.keys(status.disruptedPods)]).toEqual([0, ['needed']])
})

const vmiPath = (name: string): string =>
  `/apis/kubevirt.io/v1/namespaces/evictions/virtualmachineinstances/${name}`
const webhook =
  'admission webhook "virt-launcher-eviction-interceptor.kubevirt.io" denied the request:'

async function runVm(name: string, evictionStrategy?: string): Promise<string> {
  await guests.run(name, evictionStrategy === undefined ? {} : { spec: { evictionStrategy } })
  const { items } = await readObject<{ items: Pod[] }>(
    `${core}/pods?labelSelector=kubevirt.io%3Dvirt-launcher,vm.kubevirt.io/name%3D${name}`,
  )
  return items[0]?.metadata.name ?? ''
}

const evacuationNodeOf = async (name: string): Promise<string | undefined> =>
  (await readObject<{ status: { evacuationNodeName?: string } }>(vmiPath(name))).status
    .evacuationNodeName

test('a VM with LiveMigrate migrates when its launcher is evicted', async () => {
  const pod = await runVm('moving', 'LiveMigrate')
  await waitFor(() => guests.isTrue('moving', 'LiveMigratable'), {
    what: 'condition LiveMigratable',
    timeoutMs: 10_000,
  })
  const before = await readObject<{ status: { nodeName: string } }>(vmiPath('moving'))
  const { status, body } = await evict(pod)
  expect([status, body.message, body.reason]).toEqual([
    429,
    `${webhook} Eviction triggered evacuation of VMI "evictions/moving"`,
    undefined,
  ])
  const moved = async (): Promise<boolean> =>
    (await readObject<{ status: { nodeName: string } }>(vmiPath('moving'))).status.nodeName !==
    before.status.nodeName
  await waitFor(moved, { what: 'the migrated VM', timeoutMs: 20_000 })
})

test('a VM with External is marked for evacuation when its launcher is evicted', async () => {
  const pod = await runVm('external', 'External')
  expect((await evict(pod)).status).toBe(429)
  expect(await evacuationNodeOf('external')).toBe(
    (await readObject<Pod>(`${core}/pods/${pod}`)).spec.nodeName,
  )
  expect((await evict(pod)).body.message).toBe(
    `${webhook} Evacuation in progress: Eviction triggered evacuation of VMI "evictions/external"`,
  )
})

test.each([{ strategy: 'None' }, { strategy: undefined }])(
  'a VM with eviction strategy $strategy stops with its evicted launcher',
  async ({ strategy }) => {
    const name = `lost-${String(strategy).toLowerCase()}`
    const pod = await runVm(name, strategy)
    const { status } = await evict(pod)
    expect([status, await evacuationNodeOf(name)]).toEqual([201, undefined])
  },
)
