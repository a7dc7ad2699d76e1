import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import {
  TroubledLives,
  pointsOf,
  troublesOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmSnapshotLives } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

const kinds = ['deploy_vm'] as const

let world: World
let its: VmSnapshotLives
let lives: TroubledLives
let snapshotId: string
let original: Json
let untroubled: string
let expected: Json
beforeAll(async () => {
  world = await aWorld()
  its = await VmSnapshotLives.in(world)
  const { vmId } = await its.machine()
  original = await its.vms.machine(vmId)
  snapshotId = (await its.snapshots.taken(vmId, { acceptMissing: true })).id
  lives = new TroubledLives(kinds)
  untroubled = await lives.begin([], copy)
  expected = await whole(untroubled)
})
afterAll(() => lives[Symbol.dispose]())

const copy = async (name = unique('copy')): Promise<string> =>
  (await its.snapshots.ask('cloneVmSnapshot', { snapshotId, name, start: false }, 0)).vm.id

const volumesOf = (vmId: string): Promise<Json[]> =>
  world.database
    .sql(`select volume.id, volume.name, volume.state, volume.vm_id = vm.id as "isIn", volume.gone_at is not null as gone
    from volume join vm on volume.name like vm.name || '-%' where vm.id = '${vmId}'`)

/** The copy and the copies of its volumes, without what differs from life to life. */
async function whole(id: string): Promise<Json> {
  await its.vms.ended('deploy_vm', id)
  const isIn = async (): Promise<boolean> =>
    (await volumesOf(id)).every(({ state }) => state === 'attached')
  await waitFor(isIn, { timeoutMs: 20_000, what: 'the copies of the volumes to be in it' })
  const volumes = (await volumesOf(id)).map(({ state, isIn: isThere, gone }) => ({
    state,
    isThere,
    gone,
  }))
  return { ...(await its.vms.left(id)), volumes }
}

describe.concurrent('each step of a deploy that begins as a copy', () => {
  test('has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(lives.arrivalsOf(untroubled))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kinds))
    expect(expected).toMatchObject({
      vm: { state: 'Stopped', gone: false },
      volumes: [{ state: 'attached', isThere: true, gone: false }],
      operations: [{ kind: 'deploy_vm', state: 'succeeded' }],
    })
  })

  // What comes before is as in every deploy.
  const troubles = troublesOf(kinds).filter(
    ({ at }) => at.endsWith('.disk') || at.endsWith('.machine'),
  )
  test.each(troubles)(
    'that meets trouble ends as if there had been none: $at $where $do',
    async (trouble) => {
      const id = await lives.begin([trouble], copy)
      expect(await whole(id)).toEqual(expected)
      expect(lives.isMet(id, trouble)).toBe(true)
    },
  )
})

describe('a copy that cannot be made', () => {
  test('leaves nothing behind, no copies of volumes either', async () => {
    const name = unique('taken')
    const place = `/apis/kubevirt.io/v1/namespaces/${its.vms.namespace}/virtualmachines`
    const body = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name },
      spec: { runStrategy: 'Halted', template: { spec: original } },
    }
    expect((await world.cluster.call(place, { method: 'POST', body })).status).toBe(201)
    const id = await lives.begin([], () => copy(name))
    await its.vms.ended('deploy_vm', id)
    const isGone = async (): Promise<boolean> =>
      (await volumesOf(id)).every(({ gone }) => gone === true)
    await waitFor(isGone, { timeoutMs: 20_000, what: 'the copies of the volumes to be gone' })
    const [volume] = await volumesOf(id)
    const operations = await world.database.sql(
      `select kind, state, fault_code from operation where target_id in ('${id}', '${volume?.id}') order by kind`,
    )
    expect(operations).toEqual([
      { kind: 'create_volume', state: 'failed', fault_code: 'conflict' },
      { kind: 'deploy_vm', state: 'failed', fault_code: 'cluster_name_conflict' },
    ])
    expect((await its.volumes.claim(String(volume?.id))).status).toBe(404)
  })
})
