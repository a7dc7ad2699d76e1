import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import { WorldWorkers, struckLives } from '../../support/scenarios/worker-fault-scenarios.ts'
import { VmSnapshotLives } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

let world: World
let workers: WorldWorkers
let its: VmSnapshotLives
/** Machines that nobody has done anything with, and groups that no VM has. */
let machines: { vmId: string; volumeId: string }[]
let groups: Json[]
beforeAll(async () => {
  world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  its = await VmSnapshotLives.in(world)
  const each = process.env['BERTH_TEST_THOROUGH'] === '1' ? 4 : 1
  machines = await Promise.all(Array.from({ length: 9 * each + 1 }, () => its.machine()))
  const place = { world, tenant: its.vms.tenant }
  groups = await Promise.all([make.securityGroup(place), make.securityGroup(place)])
  await workers.stop()
})
afterAll(() => workers.stop())

function machine(): { vmId: string; volumeId: string } {
  const next = machines.pop()
  if (!next) throw new Error('there are no more machines')
  return next
}

const mustHaveDone = async (kind: OperationKind, id: string): Promise<void> => {
  const rows = await world.database.sql(
    `select state, fault_code from operation where kind = '${kind}' and target_id = '${id}'`,
  )
  expect([kind, rows]).toEqual([kind, [{ state: 'succeeded', fault_code: null }]])
}

test('a worker that is killed or paused while a VM is kept in a snapshot or brought back to it leaves nothing undone, and nothing twice', async () => {
  const kinds = ['create_vm_snapshot', 'delete_vm_snapshot'] as const
  const ofSnapshots = await struckLives(
    workers,
    { making: kinds[0], later: [kinds[1]] },
    {
      begin: () => its.take(machine().vmId),
      ask: (_kind, id) => its.snapshots.ask('deleteVmSnapshot', { id }, 0),
    },
  )
  for (const { kind, blow, id } of ofSnapshots) {
    await mustHaveDone(kind, id)
    const isGone = kind === 'delete_vm_snapshot'
    expect([blow, await its.leftOfSnapshot(id)]).toMatchObject([
      blow,
      { gone: isGone, object: isGone ? null : true },
    ])
  }
  const taken = new Map<string, string>()
  const volumeOf = new Map(machines.map(({ vmId, volumeId }) => [vmId, volumeId]))
  const ofRestores = await struckLives(
    workers,
    { making: null, later: ['restore_vm'] },
    {
      begin: () => Promise.resolve(machine().vmId),
      async ripen(_kind, vmId) {
        taken.set(vmId, (await its.snapshots.taken(vmId)).id)
      },
      ask: (_kind, vmId) =>
        its.snapshots.ask('restoreVm', { vmId, snapshotId: taken.get(vmId) }, 0),
    },
  )
  for (const { blow, id } of ofRestores) {
    await mustHaveDone('restore_vm', id)
    const left = await its.leftOfMachine({ vmId: id, volumeId: volumeOf.get(id) ?? '' })
    expect([blow, left]).toMatchObject([
      blow,
      { restoring: false, isRestored: true, volume: { isIn: true, state: 'attached' } },
    ])
    const { items }: Json = (
      await world.cluster.call(
        `/apis/snapshot.kubevirt.io/v1beta1/namespaces/${its.vms.namespace}/virtualmachinerestores`,
      )
    ).body
    expect(
      items.filter(({ spec, status }: Json) => spec.target.name === id || status.complete !== true),
    ).toEqual([])
  }
  const struck = [...ofSnapshots, ...ofRestores].map(({ blow }) => blow.at)
  expect(new Set(struck)).toEqual(new Set(allStepPoints([...kinds, 'restore_vm'])))
}, 300_000)

test('nor while a volume is kept in a snapshot, nor while it is told what security groups let through', async () => {
  await workers.stop()
  const kinds = ['create_volume_snapshot', 'delete_volume_snapshot'] as const
  const { vmId, volumeId } = machine()
  const ofSnapshots = await struckLives(
    workers,
    { making: kinds[0], later: [kinds[1]] },
    {
      begin: async () =>
        (
          await its.volumes.askSnapshot(
            'createVolumeSnapshot',
            { volumeId, name: unique('life') },
            0,
          )
        ).volumeSnapshot.id,
      ask: (_kind, id) => its.volumes.askSnapshot('deleteVolumeSnapshot', { id }, 0),
    },
  )
  for (const { kind, id } of ofSnapshots) {
    await mustHaveDone(kind, id)
    expect((await its.volumes.snapshot(id)).status).toBe(
      kind === 'delete_volume_snapshot' ? 404 : 200,
    )
  }
  const [one, two] = groups
  const { admin } = its.vms.tenant
  const ofGroups = await struckLives(
    workers,
    { making: null, later: ['set_vm_security_groups', 'apply_security_group'] },
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
  for (const { kind, id } of ofGroups) await mustHaveDone(kind, id)
  const path = `/apis/networking.k8s.io/v1/namespaces/${its.vms.namespace}/networkpolicies/vm-${vmId}-guard`
  const letIn = async (): Promise<number[]> => {
    const { spec }: Json = (await world.cluster.call(path)).body
    return spec.ingress.flatMap(({ ports }: Json) => ports.map(({ port }: Json) => port)).sort()
  }
  // What a worker that had been paused said last is put right when somebody sees it. The other
  // group came with a rule of its own.
  void workers.start()
  await waitFor(async () => String(await letIn()) === '4711,80', {
    timeoutMs: 30_000,
    what: 'both groups to be told',
  })
  const struck = [...ofSnapshots, ...ofGroups].map(({ blow }) => blow.at)
  expect(new Set(struck)).toEqual(
    new Set(allStepPoints([...kinds, 'set_vm_security_groups', 'apply_security_group'])),
  )
}, 300_000)

test('nor while a VM is made from a snapshot of another, or a volume from a snapshot of one', async () => {
  const { vmId, volumeId } = machine()
  void workers.start()
  const { id: snapshotId } = await its.snapshots.taken(vmId)
  const copy = await its.volumes.askSnapshot('createVolumeSnapshot', {
    volumeId,
    name: unique('copy'),
  })
  await workers.stop()
  const name = (): string => unique('made')
  const ofVms = await struckLives(
    workers,
    { making: 'deploy_vm', later: [] },
    {
      begin: async () =>
        (await its.snapshots.ask('cloneVmSnapshot', { snapshotId, name: name(), start: false }, 0))
          .vm.id,
      ask: () => Promise.resolve(),
    },
  )
  const volumesOf = (id: string): Promise<Json[]> =>
    world.database.sql(
      `select volume.state from volume join vm on vm.id = vm_id where vm.id = '${id}' and volume.gone_at is null`,
    )
  void workers.start()
  for (const { blow, kind, id } of ofVms) {
    await mustHaveDone(kind, id)
    const isIn = async (): Promise<boolean> =>
      (await volumesOf(id)).every(({ state }) => state === 'attached')
    await waitFor(isIn, { timeoutMs: 20_000, what: 'the copy of the volume to be in it' })
    expect([blow, await volumesOf(id), await its.vms.left(id)]).toMatchObject([
      blow,
      [{}],
      { vm: { state: 'Stopped', gone: false } },
    ])
  }
  await workers.stop()
  const ofVolumes = await struckLives(
    workers,
    { making: 'create_volume', later: [] },
    {
      begin: async () =>
        (
          await its.volumes.ask(
            'createVolume',
            { snapshotId: copy.volumeSnapshot.id, name: name() },
            0,
          )
        ).volume.id,
      ask: () => Promise.resolve(),
    },
  )
  for (const { kind, id } of ofVolumes) {
    await mustHaveDone(kind, id)
    expect((await its.volumes.claim(id)).status).toBe(200)
  }
  const struck = [...ofVms, ...ofVolumes].map(({ blow }) => blow.at)
  expect(new Set(struck)).toEqual(new Set(allStepPoints(['deploy_vm', 'create_volume'])))
}, 300_000)
