import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
})

const paths = {
  namespace: ({ namespace }: WorldTenant) => `/api/v1/namespaces/${namespace}`,
  defaultDeny: ({ namespace }: WorldTenant) =>
    `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/tenant-wall`,
  quotaBackstop: ({ namespace }: WorldTenant) =>
    `/api/v1/namespaces/${namespace}/resourcequotas/tenant-net`,
  limits: ({ namespace }: WorldTenant) =>
    `/api/v1/namespaces/${namespace}/limitranges/tenant-limits`,
}
const objectOf = async (part: keyof typeof paths, of = tenant): Promise<Json> =>
  (await world.cluster.call(paths[part](of))).body
const merge = { 'content-type': 'application/merge-patch+json' }
const quota =
  'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'

describe('the boundary of a tenant', () => {
  test('a new tenant has pod security, default deny, default limits and a quota backstop', async () => {
    expect((await objectOf('namespace')).metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'baseline',
    })
    expect((await objectOf('defaultDeny')).spec).toEqual({
      podSelector: { matchExpressions: [{ key: 'cdi.kubevirt.io', operator: 'DoesNotExist' }] },
      policyTypes: ['Ingress'],
    })
    expect((await objectOf('limits')).spec.limits).toEqual([
      { type: 'Container', defaultRequest: { cpu: '10m', memory: '32Mi' } },
    ])
    expect((await objectOf('quotaBackstop')).spec.hard ?? {}).toEqual({})
  })

  test('a pass over the boundary of a known tenant applies each part with one call', async () => {
    const kinds = ['namespaces', 'networkpolicies', 'limitranges', 'resourcequotas'] as const
    const patches = async (): Promise<number[]> => {
      const { text } = await world.wire.send('GET', '/metrics')
      return kinds.map((kind) => {
        const line = new RegExp(
          String.raw`^berth_cluster_calls_total\{method="PATCH",kind="${kind}"\} (\d+)$`,
          'm',
        )
        return Number(line.exec(text)?.[1] ?? 0)
      })
    }
    const before = await patches()
    await world.root.ask(quota, { i: { id: tenant.id, vms: 7 } })
    const passed = async (): Promise<number[]> =>
      (await patches()).map((count, kind) => count - (before[kind] ?? 0))
    await waitFor(async () => (await passed()).every((count) => count > 0), {
      timeoutMs: 10_000,
      what: 'the boundary to be applied',
    })
    await waitFor(async () => new Set(await passed()).size === 1, {
      timeoutMs: 5_000,
      what: 'each part to be applied with one call in each pass',
    })
  })

  test('the boundary is repaired when its objects are changed or deleted in the cluster', async () => {
    const { labels } = (await objectOf('namespace')).metadata
    const [defaultDeny, limits] = [
      (await objectOf('defaultDeny')).spec,
      (await objectOf('limits')).spec,
    ]
    const loose = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } }
    await world.cluster.call(paths.namespace(tenant), {
      method: 'PATCH',
      body: loose,
      headers: merge,
    })
    await world.cluster.call(paths.defaultDeny(tenant), {
      method: 'PATCH',
      body: { spec: { ingress: [{}] } },
      headers: merge,
    })
    await world.cluster.call(paths.limits(tenant), { method: 'DELETE' })
    const isWhole = async (): Promise<boolean> => {
      const now = [
        (await objectOf('namespace')).metadata.labels,
        (await objectOf('defaultDeny')).spec,
        (await objectOf('limits')).spec,
      ]
      return JSON.stringify(now) === JSON.stringify([labels, defaultDeny, limits])
    }
    await waitFor(isWhole, { timeoutMs: 15_000, what: 'the boundary to be repaired' })
  })

  test('the quota backstop follows the quota and never blocks a tenant within its quota', async () => {
    const full = await world.tenant()
    const limits = { vms: 2, vcpus: 3, memoryMi: 768, storageGi: 64 }
    await world.root.ask(quota, { i: { id: full.id, ...limits } })
    const hard = async (): Promise<Json> => (await objectOf('quotaBackstop', full)).spec.hard ?? {}
    await waitFor(async () => 'requests.memory' in (await hard()), {
      timeoutMs: 15_000,
      what: 'the quota backstop to exist',
    })
    const before = await hard()
    const actions = await vmActions(full.admin)
    const sizes = [
      { cpu: 2, memoryMi: 512 },
      { cpu: 1, memoryMi: 256 },
    ]
    await Promise.all(
      sizes.map((size) => actions.running({ ...size, rootDisk: 'persistent', bootDiskSizeGi: 32 })),
    )
    await world.root.ask(quota, { i: { id: full.id, vms: 0, vcpus: 0, memoryMi: 0, storageGi: 0 } })
    await world.root.ask(quota, {
      i: { id: full.id, vms: 20, vcpus: 0, memoryMi: 0, storageGi: 0 },
    })
    const vms = 'count/virtualmachines.kubevirt.io'
    await waitFor(async () => Number((await hard())[vms]) > Number(before[vms]), {
      timeoutMs: 15_000,
      what: 'the quota backstop to follow',
    })
    const after = await hard()
    expect(after).toMatchObject({ [vms]: '50', 'requests.storage': before['requests.storage'] })
    for (const name of ['requests.cpu', 'requests.memory'])
      expect([name, Number.parseInt(after[name])]).toEqual([
        name,
        expect.toSatisfy((most: number) => most >= Number.parseInt(before[name])),
      ])
  })
})
