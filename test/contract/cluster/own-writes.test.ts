import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A cluster whose limits are watched, and the objects that the watch reports. */
async function aWatchedCluster() {
  const sandbox = await startSandboxProcess()
  const cluster = gatewayTo(sandbox)
  onTestFinished(async () => {
    await cluster.close()
    await sandbox.stop()
  })
  const reported: string[] = []
  const watch = cluster.watch('limits', ({ name }) => reported.push(name))
  const [tenantId, namespace] = [randomUUID(), 'own-writes']
  await cluster.writer.applyNamespace({ name: namespace, tenantId, rowId: tenantId, uid: null })
  await waitFor(() => watch.isSynced())
  const apply = (name: string, { uid = null as string | null, cpuMillis = 10 } = {}) =>
    cluster.writer.applyObject({
      noun: 'limits',
      namespace,
      name,
      tenantId,
      rowId: tenantId,
      uid,
      spec: { requests: { cpuMillis, memoryMi: 32 } },
    })
  /** Waits until the watch knows this version of the object. */
  const known = (name: string, version: string): Promise<void> =>
    waitFor(() => watch.at({ namespace, name })?.version === version)
  const changeByOther = (name: string) =>
    sandbox.call(`/api/v1/namespaces/${namespace}/limitranges/${name}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { annotations: { by: 'another client' } } },
    })
  return { reported, apply, known, changeByOther }
}

test('the watch of a cluster does not report what its writer creates and corrects, and knows the versions', async () => {
  const { reported, apply, known } = await aWatchedCluster()
  const made = await apply('own')
  await known('own', made.version)
  const corrected = await apply('own', { uid: made.uid, cpuMillis: 20 })
  expect(corrected.version).not.toBe(made.version)
  await known('own', corrected.version)
  expect(reported).toEqual([])
})

test('the watch of a cluster reports a change by another client after an own write', async () => {
  const { reported, apply, known, changeByOther } = await aWatchedCluster()
  const made = await apply('own')
  await known('own', made.version)
  const { body } = await changeByOther('own')
  await known('own', body.metadata.resourceVersion)
  expect(reported).toEqual(['own'])
})
