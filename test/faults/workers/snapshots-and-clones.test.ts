import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { VmSnapshotScenarios } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

let world: World
let workers: WorldWorkers
let fixtures: VmSnapshotScenarios
/** VMs that no test has used yet, and groups that no VM has. */
let unusedVms: { vmId: string; volumeId: string }[]
let groups: Json[]
beforeAll(async () => {
  world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  fixtures = await VmSnapshotScenarios.in(world)
  const each = process.env['BERTH_TEST_THOROUGH'] === '1' ? 4 : 1
  unusedVms = await Promise.all(Array.from({ length: 9 * each + 1 }, () => fixtures.vmWithVolume()))
  const context = { world, tenant: fixtures.vms.tenant }
  groups = await Promise.all([make.securityGroup(context), make.securityGroup(context)])
  await workers.stop()
})
afterAll(() => workers.stop())

function takeVm(): { vmId: string; volumeId: string } {
  const next = unusedVms.pop()
  if (!next) throw new Error('no unused VM is left')
  return next
}

const mustHaveSucceeded = async (kind: OperationKind, id: string): Promise<void> => {
  const rows = await world.database.sql(
    `select state, fault_code from operation where kind = '${kind}' and target_id = '${id}'`,
  )
  expect([kind, rows]).toEqual([kind, [{ state: 'succeeded', fault_code: null }]])
}

test('a worker that is killed or paused during a VM snapshot or restore leaves nothing undone, and does nothing twice', async () => {
  const kinds = ['create_vm_snapshot', 'delete_vm_snapshot'] as const
  const ofSnapshots = await workerFaultScenarios(
    workers,
    { creation: kinds[0], later: [kinds[1]] },
    {
      begin: () => fixtures.take(takeVm().vmId),
      ask: (_kind, id) => fixtures.snapshots.ask('deleteVmSnapshot', { id }, 0),
    },
  )
  for (const { kind, fault, id } of ofSnapshots) {
    await mustHaveSucceeded(kind, id)
    const isGone = kind === 'delete_vm_snapshot'
    expect([fault, await fixtures.stateOfSnapshot(id)]).toMatchObject([
      fault,
      { gone: isGone, object: isGone ? null : true },
    ])
  }
  const taken = new Map<string, string>()
  const volumeOf = new Map(unusedVms.map(({ vmId, volumeId }) => [vmId, volumeId]))
  const ofRestores = await workerFaultScenarios(
    workers,
    { creation: null, later: ['restore_vm'] },
    {
      begin: () => Promise.resolve(takeVm().vmId),
      async ready(_kind, vmId) {
        taken.set(vmId, (await fixtures.snapshots.taken(vmId)).id)
      },
      ask: (_kind, vmId) =>
        fixtures.snapshots.ask('restoreVm', { vmId, snapshotId: taken.get(vmId) }, 0),
    },
  )
  for (const { fault, id } of ofRestores) {
    await mustHaveSucceeded('restore_vm', id)
    const left = await fixtures.stateOfVm({ vmId: id, volumeId: volumeOf.get(id) ?? '' })
    expect([fault, left]).toMatchObject([
      fault,
      { restoring: false, isRestored: true, volume: { isIn: true, state: 'attached' } },
    ])
    const { items }: Json = (
      await world.cluster.call(
        `/apis/snapshot.kubevirt.io/v1beta1/namespaces/${fixtures.vms.namespace}/virtualmachinerestores`,
      )
    ).body
    expect(
      items.filter(({ spec, status }: Json) => spec.target.name === id || status.complete !== true),
    ).toEqual([])
  }
  const faultPoints = [...ofSnapshots, ...ofRestores].map(({ fault }) => fault.at)
  expect(new Set(faultPoints)).toEqual(new Set(allStepFailpoints([...kinds, 'restore_vm'])))
}, 300_000)

test('a worker that is killed or paused during a volume snapshot or a change of security groups leaves nothing undone', async () => {
  await workers.stop()
  const kinds = ['create_volume_snapshot', 'delete_volume_snapshot'] as const
  const { vmId, volumeId } = takeVm()
  const ofSnapshots = await workerFaultScenarios(
    workers,
    { creation: kinds[0], later: [kinds[1]] },
    {
      begin: async () =>
        (
          await fixtures.volumes.askSnapshot(
            'createVolumeSnapshot',
            { volumeId, name: unique('life') },
            0,
          )
        ).volumeSnapshot.id,
      ask: (_kind, id) => fixtures.volumes.askSnapshot('deleteVolumeSnapshot', { id }, 0),
    },
  )
  for (const { kind, id } of ofSnapshots) {
    await mustHaveSucceeded(kind, id)
    expect((await fixtures.volumes.snapshot(id)).status).toBe(
      kind === 'delete_volume_snapshot' ? 404 : 200,
    )
  }
  const [one, two] = groups
  const { admin } = fixtures.vms.tenant
  const ofGroups = await workerFaultScenarios(
    workers,
    { creation: null, later: ['set_vm_security_groups', 'apply_security_group'] },
    {
      begin: (kind) => Promise.resolve(kind === 'apply_security_group' ? one.id : vmId),
      async ask(kind, id) {
        const setting =
          'mutation ($i: SetVmSecurityGroupsInput!) { setVmSecurityGroups(input: $i) { vm { id } } }'
        const changing =
          'mutation ($i: UpdateSecurityGroupInput!) { updateSecurityGroup(input: $i) { securityGroup { id } } }'
        const rules = [
          { direction: 'ingress', protocol: 'tcp', portFrom: 4_711, cidr: '0.0.0.0/0' },
        ]
        if (kind === 'apply_security_group') return admin.ask(changing, { i: { id, rules } })
        return admin.ask(setting, { i: { id, securityGroupIds: [one.id, two.id] } })
      },
    },
  )
  for (const { kind, id } of ofGroups) await mustHaveSucceeded(kind, id)
  const path = `/apis/networking.k8s.io/v1/namespaces/${fixtures.vms.namespace}/networkpolicies/vm-${vmId}-guard`
  const allowedPorts = async (): Promise<number[]> => {
    const { spec }: Json = (await world.cluster.call(path)).body
    return (spec.ingress ?? [])
      .flatMap(({ ports }: Json) => ports.map(({ port }: Json) => port))
      .sort()
  }
  // A worker that was paused may have written last, and the next pass corrects that. The other
  // group came with a rule of its own.
  void workers.start()
  await waitFor(async () => String(await allowedPorts()) === '4711,80', {
    timeoutMs: 30_000,
    what: 'the rules of both groups to be applied',
  })
  const faultPoints = [...ofSnapshots, ...ofGroups].map(({ fault }) => fault.at)
  expect(new Set(faultPoints)).toEqual(
    new Set(allStepFailpoints([...kinds, 'set_vm_security_groups', 'apply_security_group'])),
  )
}, 300_000)

test('a worker that is killed or paused during a clone of a VM or a volume leaves nothing undone', async () => {
  const { vmId, volumeId } = takeVm()
  void workers.start()
  const { id: snapshotId } = await fixtures.snapshots.taken(vmId)
  const copy = await fixtures.volumes.askSnapshot('createVolumeSnapshot', {
    volumeId,
    name: unique('copy'),
  })
  await workers.stop()
  const name = (): string => unique('made')
  const ofVms = await workerFaultScenarios(
    workers,
    { creation: 'deploy_vm', later: [] },
    {
      begin: async () =>
        (
          await fixtures.snapshots.ask(
            'cloneVmSnapshot',
            { snapshotId, name: name(), start: false },
            0,
          )
        ).vm.id,
      ask: () => Promise.resolve(),
    },
  )
  const volumesOf = (id: string): Promise<Json[]> =>
    world.database.sql(
      `select volume.state from volume join vm on vm.id = vm_id where vm.id = '${id}' and volume.gone_at is null`,
    )
  void workers.start()
  for (const { fault, kind, id } of ofVms) {
    await mustHaveSucceeded(kind, id)
    const isIn = async (): Promise<boolean> =>
      (await volumesOf(id)).every(({ state }) => state === 'attached')
    await waitFor(isIn, { timeoutMs: 20_000, what: 'the copy of the volume to be attached' })
    expect([fault, await volumesOf(id), await fixtures.vms.left(id)]).toMatchObject([
      fault,
      [{}],
      { vm: { state: 'Stopped', gone: false } },
    ])
  }
  await workers.stop()
  const ofVolumes = await workerFaultScenarios(
    workers,
    { creation: 'create_volume', later: [] },
    {
      begin: async () =>
        (
          await fixtures.volumes.ask(
            'createVolume',
            { snapshotId: copy.volumeSnapshot.id, name: name() },
            0,
          )
        ).volume.id,
      ask: () => Promise.resolve(),
    },
  )
  for (const { kind, id } of ofVolumes) {
    await mustHaveSucceeded(kind, id)
    expect((await fixtures.volumes.claim(id)).status).toBe(200)
  }
  const faultPoints = [...ofVms, ...ofVolumes].map(({ fault }) => fault.at)
  expect(new Set(faultPoints)).toEqual(new Set(allStepFailpoints(['deploy_vm', 'create_volume'])))
}, 300_000)
