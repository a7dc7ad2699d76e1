import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { manifestOf } from '../../../server/src/cluster/objects.ts'
import { type ObjectNoun } from '../../../server/src/cluster/reader.ts'
import { type ClusterWriter, type DesiredNamespace } from '../../../server/src/cluster/writer.ts'
import { type DesiredObject } from '../../../server/src/cluster/desired/desired.ts'
import { slugFrom } from '../../../server/src/engine/model/name.ts'
import { quotaBackstopOf } from '../../../server/src/domain/tenant/quota-backstop.ts'
import { quotaLines } from '../../../server/src/domain/tenant/quota.ts'
import { namespaceFrom } from '../../../server/src/domain/tenant/rules.ts'
import {
  applyTenantBoundary,
  desiredNamespace,
} from '../../../server/src/reconcile/tenant/tenant-boundary.ts'
import { type Json } from '../../support/json.ts'
import { nothingUsed, unlimited } from '../../support/world/quotas.ts'
import { fc } from '../../support/property-testing.ts'

/* The objects that isolate a tenant in the cluster, as Berth sends them. */
const id = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'
const quota = quotaLines(
  { ...unlimited, vms: 10, vcpus: 20, memoryMi: 40_960, storageGi: 500 },
  nothingUsed,
)

async function boundaryOf(namespace: string): Promise<Map<string, Json>> {
  const sent = new Map<string, Json>()
  const observed = {
    namespace,
    name: '',
    uid: 'u',
    version: '1',
    generation: 1,
    tenantId: id,
    rowId: id,
    isDeleting: false,
  }
  const writer: Pick<ClusterWriter, 'applyObject'> = {
    applyObject: <N extends ObjectNoun>(desired: DesiredObject<N>) => {
      const { cleared: _cleared, of, ...manifest } = manifestOf(desired)
      // The verbs are not a part of what is sent.
      const { verbs: _verbs, ...kind } = of
      sent.set(desired.name, JSON.parse(JSON.stringify({ ...manifest, of: kind })))
      return Promise.resolve(observed)
    },
  }
  await applyTenantBoundary(writer, {
    id,
    namespace,
    quotaBackstop: quotaBackstopOf(quota),
    boundaryUids: null,
  })
  return sent
}

const golden = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'))

describe('tenant boundary', () => {
  test('the boundary of a tenant matches its golden files', async () => {
    const sent = await boundaryOf('berth-acme')
    expect([...sent.keys()].sort()).toEqual(['tenant-limits', 'tenant-net', 'tenant-wall'])
    for (const [name, manifest] of sent) expect(manifest).toEqual(golden(name))
    const namespace: DesiredNamespace = desiredNamespace({
      id,
      namespace: 'berth-acme',
      clusterUid: null,
    })
    expect(namespace).toEqual(golden('tenant-namespace'))
  })

  test('the boundary of a tenant has the same shape for every tenant name', async () => {
    const expected = await boundaryOf('berth-acme')
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('kube-system', 'a\nlabels: {}', '"}', '../default'),
    )
    await fc.assert(
      fc.asyncProperty(names, async (typed) => {
        const slug = slugFrom(typed).slice(0, 50).replace(/-+$/, '')
        fc.pre(slug !== '')
        const namespace = namespaceFrom(slug)
        for (const [name, manifest] of await boundaryOf(namespace))
          expect({ ...manifest, namespace: 'berth-acme' }).toEqual(expected.get(name))
        const desired = desiredNamespace({ id, namespace, clusterUid: null })
        expect({ ...desired, name: '' }).toEqual({
          ...desiredNamespace({ id, namespace: 'berth-acme', clusterUid: null }),
          name: '',
        })
      }),
    )
  })

  test('the ResourceQuota of a tenant leaves room for twice everything that the Berth quota allows', () => {
    const vm = fc.record({
      cpu: fc.integer({ min: 1, max: 64 }),
      memoryMi: fc.integer({ min: 1, max: 262_144 }),
      diskGi: fc.nat(1_000),
    })
    fc.assert(
      fc.property(fc.array(vm, { maxLength: 60 }), (vms) => {
        const used = {
          ...nothingUsed,
          vms: vms.length,
          vcpus: vms.reduce((sum, { cpu }) => sum + cpu, 0),
          memoryMi: vms.reduce((sum, { memoryMi }) => sum + memoryMi, 0),
          storageGi: vms.reduce((sum, { diskGi }) => sum + diskGi, 0),
        }
        // The quota is used up, and every VM migrates to another node while its disk is written.
        const backstop = quotaBackstopOf(quotaLines(used, used))
        const memory = vms.reduce(
          (sum, { cpu, memoryMi }) => sum + 2 * launcherMi(cpu, memoryMi) + 3 * importerMi,
          0,
        )
        expect(backstop.vms).toBeGreaterThan(used.vms)
        expect(backstop.memoryMi).toBeGreaterThan(memory)
        expect(backstop.cpuMillis).toBeGreaterThan(
          vms.reduce((sum, { cpu }) => sum + 2 * (cpu + 1) * 1_000 + 3 * 100, 0),
        )
        expect(backstop.storageGi).toBeGreaterThan(used.storageGi * 3 * 1.06)
      }),
    )
  })
})

/**
 * The most that KubeVirt adds to a guest's memory: page tables, its own processes, one of each
 * device, a TPM, whole processors, the log, ARM.
 */
const launcherMi = (cpu: number, memoryMi: number): number =>
  memoryMi + memoryMi / 512 + (25 + 100 + 25 + 40 + 30) + 8 * cpu + 8 + 32 + 53 + 100 + 60 + 128
const importerMi = 60
