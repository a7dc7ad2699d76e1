import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster } from '../../server/src/cluster/kubevirt/cluster.ts'
import { manifests } from '../../server/src/cluster/kubevirt/manifests.ts'
import { type ObjectNoun, objectNouns } from '../../server/src/cluster/reader.ts'
import { type WantedByNoun } from '../../server/src/cluster/writer/wanted.ts'
import { gatewayTo } from '../support/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'
import { wantedObjects } from '../support/wanted-objects.ts'

/* Each noun on its way through a cluster: made, made again, corrected, found, listed, deleted, and never brought back. */
let sandbox: RunningSandbox
let cluster: Cluster
const tenantId = randomUUID()
const namespace = 'nouns'

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  cluster = gatewayTo(sandbox)
  await cluster.writer.applyNamespace({ name: namespace, tenantId, rowId: tenantId, uid: null })
})
afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

describe.each(objectNouns)('%s', (noun) => {
  const [first = expect.unreachable(), second = expect.unreachable()] = fc.sample<WantedByNoun[ObjectNoun]>(wantedObjects[noun], {
    numRuns: 2,
    seed: 11,
  })
  const ref = { namespace, name: `a-${noun.toLowerCase()}` }
  const wanted = { noun, ...ref, tenantId, rowId: randomUUID() }
  const { group, version, plural } = manifests[noun].of
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${plural}/${ref.name}`

  test('lives and dies as asked', async () => {
    const made = await cluster.writer.applyObject({ ...wanted, as: first, uid: null })
    expect(made).toMatchObject({ ...ref, tenantId, rowId: wanted.rowId, isDeleting: false })
    // The answer to the first was lost, and it is asked for once more.
    expect((await cluster.writer.applyObject({ ...wanted, as: first, uid: null })).uid).toBe(made.uid)
    expect((await cluster.reader.getObject(noun, ref))?.uid).toBe(made.uid)
    if (noun !== 'secret')
      expect((await cluster.reader.listObjects(noun, { limit: 10, after: null })).items.map(({ uid }) => uid)).toContain(made.uid)
    await cluster.writer.deleteObject(noun, ref, made.uid)
    await waitFor(async () => (await cluster.reader.getObject(noun, ref)) === null)
    await expect(cluster.writer.applyObject({ ...wanted, as: first, uid: made.uid })).rejects.toMatchObject({ trouble: 'uid_mismatch' })
  })

  test("leaves a stranger's object of the name alone", async () => {
    const theirs = await cluster.writer.applyObject({ ...wanted, rowId: randomUUID(), as: second, uid: null })
    await expect(cluster.writer.applyObject({ ...wanted, as: first, uid: null })).rejects.toMatchObject({ trouble: 'name_taken' })
    expect((await sandbox.call(path)).body.metadata.uid).toBe(theirs.uid)
  })
})
