import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { manifests } from '../../../server/src/cluster/manifests.ts'
import {
  listedNouns,
  type ObjectNoun,
  objectNouns,
  clusterScopedNouns,
} from '../../../server/src/cluster/reader.ts'
import {
  type DesiredByNoun,
  type DesiredObject,
} from '../../../server/src/cluster/desired/desired.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { desiredObjects } from '../../support/cluster/desired-objects.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * The life cycle of each noun in a cluster: create, repeat, correct, find, list and delete. A
 * deleted object never comes back.
 */
let sandbox: RunningSandbox
let cluster: Cluster
const tenantId = randomUUID()
const namespace = 'nouns'

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, {
    components: ['kube-ovn', 'multi-network-policy', 'nmstate'],
  })
  cluster = gatewayTo(sandbox)
  await cluster.writer.applyNamespace({ name: namespace, tenantId, rowId: tenantId, uid: null })
})
afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

const sampled = <N extends ObjectNoun>(noun: N): DesiredByNoun[N][] =>
  fc.sample(desiredObjects[noun], { numRuns: 2, seed: 11 })

/**
 * Creates the owner that the spec names, because the cluster deletes an object without its owner.
 */
async function withOwner(as: DesiredByNoun[ObjectNoun]): Promise<DesiredByNoun[ObjectNoun]> {
  if (!('ownedBy' in as)) return as
  const [policy = expect.unreachable()] = sampled('networkPolicy')
  const owner = { namespace, name: 'an-owner', tenantId, rowId: tenantId, uid: null }
  const { name, uid } = await cluster.writer.applyObject({
    noun: 'networkPolicy',
    ...owner,
    spec: policy,
  })
  return { ...as, ownedBy: { name, uid } }
}

describe.each(objectNouns)('%s', (noun) => {
  const [one = expect.unreachable(), other = expect.unreachable()] = sampled(noun)
  const isWide = clusterScopedNouns.some((each) => each === noun)
  const ref = { namespace: isWide ? null : namespace, name: `a-${noun.toLowerCase()}` }
  // The cast is true: `isWide` above decides the namespace as the type does.
  const desired = { noun, ...ref, tenantId, rowId: randomUUID() } as Omit<
    DesiredObject<ObjectNoun>,
    'uid' | 'as'
  >
  const { group, version, plural } = manifests[noun].of
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}${isWide ? '' : `/namespaces/${namespace}`}/${plural}/${ref.name}`

  test('the cluster object is created, found, listed and deleted, and an apply does not bring it back', async () => {
    const first = await withOwner(one)
    const made = await cluster.writer.applyObject({ ...desired, spec: first, uid: null })
    expect(made).toMatchObject({
      ...ref,
      namespace: ref.namespace ?? '',
      tenantId,
      rowId: desired.rowId,
      isDeleting: false,
    })
    // The first answer was lost, so the same apply is sent again.
    expect((await cluster.writer.applyObject({ ...desired, spec: first, uid: null })).uid).toBe(
      made.uid,
    )
    expect((await cluster.reader.getObject(noun, ref))?.uid).toBe(made.uid)
    const listed = listedNouns.find((each) => each === noun)
    if (listed)
      expect(
        (await cluster.reader.listObjects(listed, { limit: 10, after: null })).items.map(
          ({ uid }) => uid,
        ),
      ).toContain(made.uid)
    await cluster.writer.deleteObject(noun, ref, made.uid)
    await waitFor(async () => (await cluster.reader.getObject(noun, ref)) === null)
    await expect(
      cluster.writer.applyObject({ ...desired, spec: first, uid: made.uid }),
    ).rejects.toMatchObject({ trouble: 'uid_mismatch' })
  })

  test('an apply leaves a foreign object of the same name unchanged', async () => {
    const [first, second] = [await withOwner(one), await withOwner(other)]
    const theirs = await cluster.writer.applyObject({
      ...desired,
      rowId: randomUUID(),
      spec: second,
      uid: null,
    })
    await expect(
      cluster.writer.applyObject({ ...desired, spec: first, uid: null }),
    ).rejects.toMatchObject({ trouble: 'name_taken' })
    expect((await sandbox.call(path)).body.metadata.uid).toBe(theirs.uid)
  })
})
