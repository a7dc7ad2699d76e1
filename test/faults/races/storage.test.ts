import { beforeAll, describe, expect, test } from 'vitest'
import {
  type StorageActName,
  type StorageLeft,
  type StorageScene,
  storageAct,
  storageActNames,
} from '../../support/actions/storage-actions.ts'
import { type Json } from '../../support/json.ts'
import { VmSnapshotLives } from '../../support/scenarios/vm-snapshot-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'
import { testSeed } from '../../support/seed.ts'

/*
 * Whatever two ask of one machine, its volume and the snapshots of both, one after the other before
 * the first is done or both at once: it ends in one legal state. What was accepted has come to
 * pass, unless the other was to undo it; what was not has a code that says so; nothing is promised
 * any more. That the cluster has nothing else than the rows say is judged at the end of the world.
 */
let world: World
let its: VmSnapshotLives
beforeAll(async () => {
  world = await aWorld()
  its = await VmSnapshotLives.in(world)
})

const refusals = ['wrong_state', 'in_use', 'not_found', 'conflict']

const touchesOf = (name: StorageActName): readonly string[] => storageAct(name).touches

/** What a guest that runs makes different. */
const ofRuns: readonly StorageActName[] = [
  ...(['attach the volume', 'detach the volume', 'grow the volume'] as const),
  ...(['take a snapshot of the VM', 'restore the VM', 'delete the VM'] as const),
]

/** Both orders of every two; at once there is no order. */
const pairsOf = (names: readonly StorageActName[], runs: boolean) =>
  names.flatMap((one, index) =>
    names.flatMap((other, place) => {
      if (!touchesOf(one).some((thing) => touchesOf(other).includes(thing))) return []
      return [
        { one, other, runs, isAtOnce: false },
        ...(index <= place ? [{ one, other, runs, isAtOnce: true }] : []),
      ]
    }),
  )
const withRuns = pairsOf(ofRuns, true)
const isThorough = process.env['BERTH_TEST_THOROUGH'] === '1'
// A guest takes seconds, so the seed draws a third of these pairs; BERTH_TEST_THOROUGH=1 runs all.
const drawn = isThorough ? withRuns : withRuns.filter((_, index) => (index + testSeed) % 3 === 0)
const pairs = [...pairsOf(storageActNames, false), ...drawn]

/** As the first act needs it, and where that needs nothing the other. */
async function sceneFor({ one, other, runs }: (typeof pairs)[number]): Promise<StorageScene> {
  const touched = [...touchesOf(one), ...touchesOf(other)]
  const isVolumeIn = (storageAct(one).where ?? storageAct(other).where) !== 'out'
  const { vmId, volumeId } = await its.machine({ isVolumeIn, start: runs })
  await its.volumes.inState(volumeId, isVolumeIn ? 'attached' : 'ready')
  const copyId = async (): Promise<string> =>
    (await its.volumes.askSnapshot('createVolumeSnapshot', { volumeId, name: unique('copy') }))
      .volumeSnapshot.id
  return {
    vmId,
    volumeId,
    copyId: touched.includes('copy') ? await copyId() : '',
    snapshotId: touched.includes('snapshot')
      ? (await its.snapshots.taken(vmId, { acceptMissing: true })).id
      : '',
  }
}

interface Answer {
  code: string | null
  operationId: string | null
}

async function asked(name: StorageActName, scene: StorageScene): Promise<Answer> {
  const { verb, input } = storageAct(name)
  const type = `${verb[0]?.toUpperCase()}${verb.slice(1)}Input`
  const document = `mutation ($i: ${type}!) { ${verb}(input: $i) { operation { id } } }`
  const { code, data } = await its.vms.tenant.admin.graphql(document, {
    i: input(scene, unique('made')),
  })
  return { code, operationId: data?.[verb]?.operation?.id ?? null }
}

type Kind = 'vm' | 'volume' | 'volume_snapshot' | 'vm_snapshot'

const rowOf = async (kind: Kind, id: string): Promise<Json> =>
  id === '' ? null : (await world.database.sql(`select * from ${kind} where id = '${id}'`))[0]

async function leftOf(
  { vmId, volumeId, copyId, snapshotId }: StorageScene,
  made: { kind: Kind; id: string },
): Promise<StorageLeft> {
  const volume = await rowOf('volume', volumeId)
  return {
    volume: {
      ...volume,
      claim: (await its.volumes.claim(volumeId)).status,
      isIn: volume.vm_id === vmId,
      isHeld: volume.held_by === vmId,
    },
    machine: await rowOf('vm', vmId),
    copy: await rowOf('volume_snapshot', copyId),
    snapshot: await rowOf('vm_snapshot', snapshotId),
    made: await rowOf(made.kind, made.id),
  }
}

/**
 * Nothing of the scene is promised any more, nor of what was made of it, and every state is one
 * that stays.
 */
async function settled(
  { vmId, volumeId, copyId, snapshotId }: StorageScene,
  answers: readonly Answer[],
): Promise<void> {
  const ids = [
    vmId,
    volumeId,
    copyId,
    snapshotId,
    ...answers.flatMap(({ operationId }) => operationId ?? []),
  ]
  const theirs = ids.flatMap((id) => (id === '' ? [] : `'${id}'`)).join()
  const query = `select id, kind, state, steps::text from operation where finished_at is null and (target_id in (${theirs}) or id in (${theirs}))
    union all select id, name, state, held_by::text from volume where id = '${volumeId}' and gone_at is null
      and (state not in ('ready', 'attached') or (state = 'attached') <> (vm_id is not null) or vm_id is distinct from held_by)
    union all select id, name, state, wanted_power from vm where id = '${vmId}' and gone_at is null and (state not in ('Stopped', 'Running') or restore_id is distinct from restored_id)`
  let open: unknown[] = []
  const isOver = async (): Promise<boolean> => (open = await world.database.sql(query)).length === 0
  await waitFor(isOver, { timeoutMs: 20_000, what: 'all of it to end' }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(open)}`)
  })
}

interface Asked {
  name: StorageActName
  scene: StorageScene
  answer: Answer
  /** What was accepted beside it and may have undone it. */
  unless: StorageActName | null
}

/** An act that was accepted has come to pass: its operation says so, and so it is. */
async function mustHaveCome({ name, scene, answer, unless }: Asked): Promise<void> {
  const { kind: promised, holds, yieldsTo = [] } = storageAct(name)
  if (answer.operationId === null || (unless !== null && yieldsTo.includes(unless))) return
  const [ended]: Json = await world.database.sql(
    `select * from operation where id = '${answer.operationId}'`,
  )
  const { kind, state, fault_code: fault, target_kind: made, target_id: id } = ended
  const came = { kind, state, fault, holds: holds(await leftOf(scene, { kind: made, id })) }
  expect([name, came]).toEqual([
    name,
    { kind: promised, state: 'succeeded', fault: null, holds: true },
  ])
}

describe('what two ask of a machine, its volume and their snapshots', () => {
  test.concurrent.each(pairs)(
    'ends in one legal state: $one, then $other (at once: $isAtOnce, of a run: $runs)',
    async (pair) => {
      const { one, other, isAtOnce } = pair
      const scene = await sceneFor(pair)
      const first = asked(one, scene)
      if (!isAtOnce) expect((await first).code).toBeNull()
      const answers = await Promise.all([first, asked(other, scene)])
      const codes = answers.map(({ code }) => code)
      expect(codes).toContain(null)
      expect([...refusals, null]).toEqual(expect.arrayContaining(codes))
      await settled(scene, answers)
      await mustHaveCome({
        name: one,
        scene,
        answer: answers[0],
        unless: codes[1] === null ? other : null,
      })
      // Of two that are asked one after the other, the last one is what is wanted.
      await mustHaveCome({
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
