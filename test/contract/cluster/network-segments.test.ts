import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifestOf } from '../../../server/src/cluster/objects.ts'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { type ObservedObject } from '../../../server/src/engine/kube/observed.ts'
import { type DesiredObject } from '../../../server/src/cluster/desired/desired.ts'
import { networkReconciler } from '../../../server/src/reconcile/network/network.ts'
import { type Reconciler } from '../../../server/src/engine/reconcile/reconciler.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { type Database } from '../../../server/src/engine/database/database.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { type Store, storeOn } from '../../../server/src/store/store.ts'
import { type TestDatabase, aDatabase } from '../../support/postgres/database.ts'
import { type Json } from '../../support/json.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * Networks of two tenants come and go on a few VLAN tags, in a cluster that sometimes refuses
 * calls. The tests check which attachments exist at the same time.
 */
const tags = { first: 100, last: 105 }

let testDatabase: TestDatabase
let database: Database
let store: Store
let vpcs: { id: string; tenantId: string; cidr: string; namespace: string }[]
beforeAll(async () => {
  testDatabase = await aDatabase()
  database = await openDatabase({ url: testDatabase.url, log: createLog('silent') })
  store = storeOn({
    database,
    clock: systemClock,
    seal: sealFromSecret(new Secret('s'.repeat(32)), 'answers'),
  })
  vpcs = await inUnit(async (op) => {
    const made = []
    for (const slug of ['one', 'two']) {
      const { id } = await op.tenants.insert({
        name: slug,
        slug,
        namespace: `berth-${slug}`,
        description: '',
      })
      made.push(
        await op.vpcs.insert({
          tenantId: id,
          name: 'default',
          cidr: '10.0.0.0/16',
          isDefault: true,
        }),
      )
    }
    return made
  })
  await testDatabase.sql(`update vpc set state = 'active'`)
})
afterAll(() => database.close())

const held = () => Promise.resolve()
const inUnit = <T>(act: (op: Op) => Promise<T>): Promise<T> =>
  store.work({ scope: 'platform', fence: held }, act)

/** A cluster that stores attachments by name and can refuse the next call. */
class Attachments {
  readonly configs = new Map<string, string>()
  isAway = false
  #writes = 0

  observed(namespace: string, name: string): ObservedObject | null {
    const config = this.configs.get(name)
    const rowId = name.replace('net-', '')
    return config === undefined
      ? null
      : {
          namespace,
          name,
          uid: name,
          version: config,
          generation: 1,
          tenantId: 't',
          rowId,
          isDeleting: false,
        }
  }

  apply(desired: DesiredObject<'network'>): ObservedObject {
    this.#mustAnswer()
    const { config }: Json = manifestOf(desired).content?.['spec']
    this.configs.set(desired.name, config)
    this.#writes++
    const observed = this.observed(desired.namespace, desired.name)
    if (!observed) throw new TypeError('a written attachment exists')
    return observed
  }

  remove(name: string): 'gone' {
    this.#mustAnswer()
    this.configs.delete(name)
    return 'gone'
  }

  get writes(): number {
    return this.#writes
  }

  #mustAnswer(): void {
    if (this.isAway)
      throw new ClusterError('planted', { trouble: 'unreachable', call: 'test', status: null })
  }
}

function reconcilerOn(cluster: Attachments): Reconciler {
  return networkReconciler({
    store,
    work: { assertHeld: held },
    waitMs: 0,
    networking: { chooseDriver: () => 'bridge-vlan' },
    segments: { bridge: { name: 'br-test', vlans: [tags] }, mtu: null },
    cluster: {
      reader: {
        getObject: (_noun, { namespace, name }) =>
          Promise.resolve(cluster.observed(namespace ?? '', name)),
        getSubnet: () => Promise.resolve(null),
        listVlanTags: () => Promise.resolve([]),
      },
      writer: {
        // The network reconciler writes networks only.
        applyObject: async (desired) =>
          Promise.resolve(cluster.apply(desired as unknown as DesiredObject<'network'>)),
        deleteObject: async (_noun, { name }) => Promise.resolve(cluster.remove(name)),
      },
    },
  })
}

const fixedShape = {
  cniVersion: '0.3.1',
  type: 'bridge',
  bridge: 'br-test',
  mtu: 1500,
  macspoofchk: true,
  disableContainerInterface: true,
  ipam: {},
}

function expectSeparate(cluster: Attachments): void {
  const configs = [...cluster.configs].map(([name, text]) => ({ name, config: JSON.parse(text) }))
  expect(new Set(configs.map(({ config }) => config.vlan)).size).toBe(configs.length)
  for (const { name, config } of configs) {
    expect(config).toEqual({ ...fixedShape, name, vlan: expect.any(Number) })
    expect(config.vlan).toBeGreaterThanOrEqual(tags.first)
    expect(config.vlan).toBeLessThanOrEqual(tags.last)
  }
}

type Action =
  | { do: 'create'; name: string; vpc: number }
  | { do: 'delete' | 'reconcile'; which: number; isAway: boolean }

const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((name) => !name.includes('\u0000'))
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        name: anyName,
        vpc: fc.nat({ max: 1 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('delete' as const),
        which: fc.nat(),
        isAway: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('reconcile' as const),
        which: fc.nat(),
        isAway: fc.integer({ max: 5, min: 0 }).map((one) => one === 0),
      }),
    },
  ),
  { minLength: 20, maxLength: 60 },
)

/** Guarantees that each drawn sequence has networks to separate. */
const beginning: readonly Action[] = [0, 1, 2, 3].flatMap((which) => [
  { do: 'create', vpc: which % 2, name: 'first' },
  { do: 'reconcile', which, isAway: false },
])

test('two networks never share a segment while both have attachments, for any names and any order of changes', async () => {
  const cluster = new Attachments()
  const reconciler = reconcilerOn(cluster)
  let count = 0
  const created: string[] = []
  const reconcile = async (id: string): Promise<void> => {
    const lease = { kind: 'network', objectId: id, tenantId: 't' } as unknown as Parameters<
      Reconciler['reconcile']
    >[1] // only its key is read here
    // Two passes are half of a life cycle: a segment and its attachment, or the end of both.
    for (let step = 0; step < 2; step++) {
      await reconciler
        .reconcile(lease, lease, new AbortController().signal)
        .catch((error: unknown) => {
          if (!(error instanceof ClusterError)) throw error
        })
      expectSeparate(cluster)
    }
  }
  const perform = async (action: Action): Promise<void> => {
    if (action.do === 'create') {
      const vpc = vpcs[action.vpc]!
      const octets = `10.0.${count >> 4}.${(count % 16) * 16}`
      const row = {
        cidr: `${octets}/28`,
        gateway: octets.replace(/\d+$/, (last) => String(Number(last) + 1)),
        name: `${count++} ${action.name}`,
      }
      const { tenantId, id: vpcId, cidr: vpcCidr, namespace: attachmentNamespace } = vpc
      const { id } = await inUnit((op) =>
        op.networks.insert({
          ...row,
          tenantId,
          vpcId,
          vpcCidr,
          attachmentNamespace,
          isDefault: false,
        }),
      )
      created.push(id)
      return
    }
    const id = created[action.which % Math.max(created.length, 1)]
    if (id === undefined) return
    cluster.isAway = action.isAway
    if (action.do === 'reconcile') return reconcile(id)
    await inUnit(async (op) => {
      const row = await op.networks.row(id)
      if (row && !row.goneAt) op.networks.requestDelete(row)
    })
  }
  await fc.assert(
    fc.asyncProperty(actions, async (all) => {
      for (const action of [...beginning, ...all]) await perform(action)
      // Deletes all networks, so that the next sequence has free tags.
      cluster.isAway = false
      await testDatabase.sql('update network set delete_requested_at = now() where gone_at is null')
      for (const { id } of await testDatabase.sql('select id from network where gone_at is null'))
        await reconcile(String(id))
      expect(cluster.configs.size).toBe(0)
      expect(await testDatabase.sql('select 1 from network where gone_at is null')).toEqual([])
      created.length = 0
    }),
    { numRuns: 6 },
  )
  // The positive control: the sequences wrote attachments that could collide.
  expect(cluster.writes).toBeGreaterThan(20)
}, 60_000)

test('a VLAN tag belongs to one network at a time, and a network gets none only when all are taken', async () => {
  const pool = [
    { first: 10, last: 19 },
    { first: 4000, last: 4004 },
  ]
  const all = pool.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
  const taken = new Map<number, string>()
  const { tenantId, id: vpcId, cidr: vpcCidr, namespace: attachmentNamespace } = vpcs[1]!
  const create = async (op: Op, step: number): Promise<void> => {
    const tag = await op.networks.freeTag(pool)
    expect(tag).toBe(all.find((each) => !taken.has(each)) ?? null)
    if (tag === null) return
    const octets = `10.0.${step >> 4}.${(step % 16) * 16}`
    const row = {
      name: `n${step}`,
      cidr: `${octets}/28`,
      gateway: octets.replace(/\d+$/, (last) => String(Number(last) + 1)),
    }
    const { id } = await op.networks.insert({
      ...row,
      tenantId,
      vpcId,
      vpcCidr,
      attachmentNamespace,
      isDefault: false,
    })
    const network = await op.networks.get(id)
    op.networks.assign(network, {
      driver: 'bridge-vlan',
      mtu: 1500,
      tagged: { bridge: 'b', segment: tag },
    })
    await op.flush()
    taken.set(tag, id)
  }
  const remove = async (op: Op, pick: number): Promise<void> => {
    const [tag, id] = [...taken][pick % Math.max(taken.size, 1)] ?? [0, '']
    const network = await op.networks.row(id)
    if (!network) return
    op.networks.markGone(network)
    await op.flush()
    taken.delete(tag)
  }
  const [picks] = fc.sample(
    fc.array(fc.nat({ max: 1000 }), { minLength: 2000, maxLength: 2000, size: 'max' }),
    1,
  )
  let isFull = false
  for (let from = 0; from < 2000; from += 40)
    await inUnit(async (op) => {
      for (const [index, pick] of picks!.slice(from, from + 40).entries()) {
        if (pick % 5 < 3) await create(op, from + index)
        else if (taken.size > 0) await remove(op, pick)
        isFull ||= taken.size === all.length
      }
    })
  expect(isFull).toBe(true)
  await testDatabase.sql('update network set gone_at = now() where gone_at is null')
}, 60_000)

test('each tag goes to one network when more networks than tags ask at once, and the rest fail with a reason', async () => {
  const cluster = new Attachments()
  const reconciler = reconcilerOn(cluster)
  const { tenantId, id: vpcId, cidr: vpcCidr, namespace: attachmentNamespace } = vpcs[0]!
  const ids = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const row = {
        name: `n${index}`,
        cidr: `10.0.${200 + index}.0/24`,
        gateway: `10.0.${200 + index}.1`,
      }
      return (
        await inUnit((op) =>
          op.networks.insert({
            ...row,
            tenantId,
            vpcId,
            vpcCidr,
            attachmentNamespace,
            isDefault: false,
          }),
        )
      ).id
    }),
  )
  await Promise.all(
    ids.map(async (objectId) => {
      const lease = { kind: 'network', objectId, tenantId } as unknown as Parameters<
        Reconciler['reconcile']
      >[1] // only its key is read here
      for (let round = 0; round < 3; round++)
        await reconciler.reconcile(lease, lease, new AbortController().signal)
    }),
  )
  const states = await testDatabase.sql(
    "select state, state_reason->>'text' as state_reason from network where gone_at is null order by state",
  )
  expect(states.map(({ state }) => state)).toEqual([
    ...Array<string>(6).fill('active'),
    ...Array<string>(4).fill('failed'),
  ])
  expect(states.at(-1)?.state_reason).toContain('in use')
  expectSeparate(cluster)
  expect(cluster.configs.size).toBe(6)
})
