import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import { manifests } from '../../../server/src/cluster/manifests.ts'
import {
  listedNouns,
  type ObjectNoun,
  objectNouns,
  wideNouns,
} from '../../../server/src/cluster/reader.ts'
import {
  type WantedByNoun,
  type WantedObject,
} from '../../../server/src/cluster/desired/desired.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { wantedObjects } from '../../support/cluster/desired-objects.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * Each noun on its way through a cluster: made, made again, corrected, found, listed, deleted, and
 * never brought back.
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

const sampled = <N extends ObjectNoun>(noun: N): WantedByNoun[N][] =>
  fc.sample(wantedObjects[noun], { numRuns: 2, seed: 11 })

/** What is owned goes with its owner, so that has to be there. */
async function owned(as: WantedByNoun[ObjectNoun]): Promise<WantedByNoun[ObjectNoun]> {
  if (!('ownedBy' in as)) return as
  const [policy = expect.unreachable()] = sampled('networkPolicy')
  const place = { namespace, name: 'an-owner', tenantId, rowId: tenantId, uid: null }
  const { name, uid } = await cluster.writer.applyObject({
    noun: 'networkPolicy',
    ...place,
    as: policy,
  })
  return { ...as, ownedBy: { name, uid } }
}

describe.each(objectNouns)('%s', (noun) => {
  const [one = expect.unreachable(), other = expect.unreachable()] = sampled(noun)
  const isWide = wideNouns.some((each) => each === noun)
  const ref = { namespace: isWide ? null : namespace, name: `a-${noun.toLowerCase()}` }
  // The type knows which nouns have a namespace, and so does the line above.
  const wanted = { noun, ...ref, tenantId, rowId: randomUUID() } as Omit<
    WantedObject<ObjectNoun>,
    'uid' | 'as'
  >
  const { group, version, plural } = manifests[noun].of
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}${isWide ? '' : `/namespaces/${namespace}`}/${plural}/${ref.name}`

  test('lives and dies as asked', async () => {
    const first = await owned(one)
    const made = await cluster.writer.applyObject({ ...wanted, as: first, uid: null })
    expect(made).toMatchObject({
      ...ref,
      namespace: ref.namespace ?? '',
      tenantId,
      rowId: wanted.rowId,
      isDeleting: false,
    })
    // The answer to the first was lost, and it is asked for once more.
    expect((await cluster.writer.applyObject({ ...wanted, as: first, uid: null })).uid).toBe(
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
      cluster.writer.applyObject({ ...wanted, as: first, uid: made.uid }),
    ).rejects.toMatchObject({ trouble: 'uid_mismatch' })
  })

  test("leaves a stranger's object of the name alone", async () => {
    const [first, second] = [await owned(one), await owned(other)]
    const theirs = await cluster.writer.applyObject({
      ...wanted,
      rowId: randomUUID(),
      as: second,
      uid: null,
    })
    await expect(
      cluster.writer.applyObject({ ...wanted, as: first, uid: null }),
    ).rejects.toMatchObject({ trouble: 'name_taken' })
    expect((await sandbox.call(path)).body.metadata.uid).toBe(theirs.uid)
  })
})
