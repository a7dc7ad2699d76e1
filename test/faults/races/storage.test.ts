import { beforeAll, describe, expect, test } from 'vitest'
import {
  type StorageActionName,
  type StorageLeft,
  type StorageScene,
  storageAction,
  storageActionNames,
} from '../../support/actions/storage-actions.ts'
import { type Json } from '../../support/json.ts'
import { VmSnapshotScenarios } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'
import { testSeed } from '../../support/seed.ts'

/*
 * Pairs of requests on one VM, its volume and their snapshots, sent one after the other or at the
 * same time. Each pair ends in one legal state. An accepted request has taken effect, unless the
 * other one undoes it. A refused request has a code that explains it. No operation stays open. The
 * end of the world checks that the cluster has nothing else than the rows.
 */
let world: World
let scenarios: VmSnapshotScenarios
beforeAll(async () => {
  world = await aWorld()
  scenarios = await VmSnapshotScenarios.in(world)
})

const refusals = ['wrong_state', 'in_use', 'not_found', 'conflict']

const touchesOf = (name: StorageActionName): readonly string[] => storageAction(name).touches

/** The actions whose result differs on a running guest. */
const runningActions: readonly StorageActionName[] = [
  ...(['attach the volume', 'detach the volume', 'grow the volume'] as const),
  ...(['take a snapshot of the VM', 'restore the VM', 'delete the VM'] as const),
]

/** Returns both orders of every two actions. Concurrent actions have no order. */
const pairsOf = (names: readonly StorageActionName[], runs: boolean) =>
  names.flatMap((one, index) =>
    names.flatMap((other, otherIndex) => {
      if (!touchesOf(one).some((thing) => touchesOf(other).includes(thing))) return []
      return [
        { one, other, runs, isAtOnce: false },
        ...(index <= otherIndex ? [{ one, other, runs, isAtOnce: true }] : []),
      ]
    }),
  )
const withRuns = pairsOf(runningActions, true)
const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'
// A guest takes seconds, so the seed draws a third of these pairs; BERTH_TEST_THOROUGH=1 runs all.
const drawn = isThorough ? withRuns : withRuns.filter((_, index) => (index + testSeed) % 3 === 0)
const pairs = [...pairsOf(storageActionNames, false), ...drawn]

/**
 * Prepares the scene that the first action needs, or the other one where the first needs nothing.
 */
async function sceneFor({ one, other, runs }: (typeof pairs)[number]): Promise<StorageScene> {
  const touched = [...touchesOf(one), ...touchesOf(other)]
  const isVolumeIn = (storageAction(one).where ?? storageAction(other).where) !== 'out'
  const { vmId, volumeId } = await scenarios.vmWithVolume({ isVolumeIn, start: runs })
  await scenarios.volumes.inState(volumeId, isVolumeIn ? 'attached' : 'ready')
  const takeVolumeSnapshot = async (): Promise<string> =>
    (
      await scenarios.volumes.askSnapshot('createVolumeSnapshot', {
        volumeId,
        name: unique('copy'),
      })
    ).volumeSnapshot.id
  return {
    vmId,
    volumeId,
    volumeSnapshotId: touched.includes('volumeSnapshot') ? await takeVolumeSnapshot() : '',
    vmSnapshotId: touched.includes('vmSnapshot')
      ? (await scenarios.snapshots.taken(vmId, { acceptMissing: true })).id
      : '',
  }
}

interface Answer {
  code: string | null
  operationId: string | null
}

async function sendAction(name: StorageActionName, scene: StorageScene): Promise<Answer> {
  const { verb, input } = storageAction(name)
  const type = `${verb[0]?.toUpperCase()}${verb.slice(1)}Input`
  const document = `mutation ($i: ${type}!) { ${verb}(input: $i) { operation { id } } }`
  const { code, data } = await scenarios.vms.tenant.admin.graphql(document, {
    i: input(scene, unique('made')),
  })
  return { code, operationId: data?.[verb]?.operation?.id ?? null }
}

type Kind = 'vm' | 'volume' | 'volume_snapshot' | 'vm_snapshot'

const rowOf = async (kind: Kind, id: string): Promise<Json> =>
  id === '' ? null : (await world.database.sql(`select * from ${kind} where id = '${id}'`))[0]

async function leftOf(
  { vmId, volumeId, volumeSnapshotId, vmSnapshotId }: StorageScene,
  made: { kind: Kind; id: string },
): Promise<StorageLeft> {
  const volume = await rowOf('volume', volumeId)
  return {
    volume: {
      ...volume,
      claim: (await scenarios.volumes.claim(volumeId)).status,
      isIn: volume.vm_id === vmId,
      isHeld: volume.held_by === vmId,
    },
    vm: await rowOf('vm', vmId),
    volumeSnapshot: await rowOf('volume_snapshot', volumeSnapshotId),
    vmSnapshot: await rowOf('vm_snapshot', vmSnapshotId),
    made: await rowOf(made.kind, made.id),
  }
}

/** Waits until no operation of the scene or of its results is open, and every state is final. */
async function settled(
  { vmId, volumeId, volumeSnapshotId, vmSnapshotId }: StorageScene,
  answers: readonly Answer[],
): Promise<void> {
  const ids = [
    vmId,
    volumeId,
    volumeSnapshotId,
    vmSnapshotId,
    ...answers.flatMap(({ operationId }) => operationId ?? []),
  ]
  const sceneIds = ids.flatMap((id) => (id === '' ? [] : `'${id}'`)).join()
  const query = `select id, kind, state, steps::text from operation where finished_at is null and (target_id in (${sceneIds}) or id in (${sceneIds}))
    union all select id, name, state, held_by::text from volume where id = '${volumeId}' and gone_at is null
      and (state not in ('ready', 'attached') or (state = 'attached') <> (vm_id is not null) or vm_id is distinct from held_by)
    union all select id, name, state, wanted_power from vm where id = '${vmId}' and gone_at is null and (state not in ('Stopped', 'Running') or restore_id is distinct from restored_id)`
  let open: unknown[] = []
  const isOver = async (): Promise<boolean> => (open = await world.database.sql(query)).length === 0
  await waitFor(isOver, { timeoutMs: 20_000, what: 'the scene to settle' }).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(open)}`)
    },
  )
}

interface SentAction {
  name: StorageActionName
  scene: StorageScene
  answer: Answer
  /** The other accepted action, which may have undone this one. */
  unless: StorageActionName | null
}

/**
 * Expects that an accepted action has taken effect: its operation has succeeded and its condition
 * holds.
 */
async function mustHaveTakenEffect({ name, scene, answer, unless }: SentAction): Promise<void> {
  const { kind: expectedKind, holds, yieldsTo = [] } = storageAction(name)
  if (answer.operationId === null || (unless !== null && yieldsTo.includes(unless))) return
  const [ended]: Json = await world.database.sql(
    `select * from operation where id = '${answer.operationId}'`,
  )
  const { kind, state, fault_code: fault, target_kind: made, target_id: id } = ended
  const outcome = { kind, state, fault, holds: holds(await leftOf(scene, { kind: made, id })) }
  expect([name, outcome]).toEqual([
    name,
    { kind: expectedKind, state: 'succeeded', fault: null, holds: true },
  ])
}

describe('two actions on a VM, its volume and their snapshots', () => {
  test.concurrent.each(pairs)(
    'two actions end in one legal state: $one, then $other (concurrent: $isAtOnce, running: $runs)',
    async (pair) => {
      const { one, other, isAtOnce } = pair
      const scene = await sceneFor(pair)
      const first = sendAction(one, scene)
      if (!isAtOnce) expect((await first).code).toBeNull()
      const answers = await Promise.all([first, sendAction(other, scene)])
      const codes = answers.map(({ code }) => code)
      expect(codes).toContain(null)
      expect([...refusals, null]).toEqual(expect.arrayContaining(codes))
      await settled(scene, answers)
      await mustHaveTakenEffect({
        name: one,
        scene,
        answer: answers[0],
        unless: codes[1] === null ? other : null,
      })
      // The last of two actions that are sent one after the other wins.
      await mustHaveTakenEffect({
        name: other,
        scene,
        answer: answers[1],
        unless: isAtOnce && codes[0] === null ? one : null,
      })
      const {
        isIn,
        isHeld,
        state,
        gone_at: goneAt,
      } = (await leftOf(scene, { kind: 'vm', id: scene.vmId })).volume
      expect([isIn, isHeld]).toEqual(
        goneAt === null && state === 'attached' ? [true, true] : [false, false],
      )
    },
  )
})
