import { describe, expect, test } from 'vitest'
import { serveImages } from '../../support/sandbox/image-server.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWorld, unique } from '../../support/world/world.ts'

const create =
  'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }'
const retry =
  'mutation ($i: RetryVmTemplateImportInput!) { retryVmTemplateImport(input: $i) { operation { id } } }'
const both = `query ($id: ID!, $operation: ID!) { vmTemplate(id: $id) { importState importReason } operation(id: $operation) { state } }`
const importer = { controller: 'import-controller' }

test('an ISO is imported again once the remains of the earlier import are gone', async () => {
  await using images = await serveImages()
  const world = await aWorld()
  const { admin, namespace } = await world.tenant()
  const faults = sandboxFaults(world.cluster)
  await faults.inject('pace', { factor: 0.3 })
  await faults.inject('controllers/hold', importer)
  const { createVmTemplate } = await admin.ask(create, {
    i: { name: unique('iso'), sourceType: 'iso', image: `${images.origin}/nothing`, isoSizeGi: 1 },
  })
  const { id } = createVmTemplate.vmTemplate
  const claim = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/iso-${id}`
  const read = async (path: string): Promise<Json> => (await world.cluster.call(path)).body
  const setFinalizers = (finalizers: string[]): Promise<void> =>
    waitFor(
      async () => {
        const { resourceVersion, finalizers: existing = [] } = (await read(claim)).metadata
        const foreign = existing.filter((name: string) => !name.startsWith('test.example/'))
        const headers = { 'content-type': 'application/merge-patch+json' }
        const body = { metadata: { resourceVersion, finalizers: [...foreign, ...finalizers] } }
        return (await world.cluster.call(claim, { method: 'PATCH', headers, body })).status === 200
      },
      { what: 'the claim to take its finalizers' },
    )
  const importState = async (): Promise<string> =>
    (await admin.ask('query ($id: ID!) { vmTemplate(id: $id) { importState } }', { id })).vmTemplate
      .importState
  const applied = async (): Promise<number> =>
    Number(
      /^berth_cluster_calls_total\{method="PATCH",kind="datavolumes"\} (\d+)$/m.exec(
        (await world.wire.send('GET', '/metrics')).text,
      )?.[1],
    )

  await waitFor(async () => (await read(claim)).kind === 'PersistentVolumeClaim', {
    what: 'the claim',
  })
  await setFinalizers(['test.example/keep'])
  await faults.inject('controllers/release', importer)
  await waitFor(async () => (await importState()) === 'failed', {
    timeoutMs: 14_000,
    what: 'the import to fail',
  })
  await waitFor(
    async () =>
      (await read(`/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/iso-${id}`))
        .code === 404,
    {
      what: 'the volume to go',
    },
  )
  await waitFor(async () => Boolean((await read(claim)).metadata.deletionTimestamp), {
    what: 'the claim to go',
  })

  const before = await applied()
  const again = await admin.ask(retry, { i: { id, url: `${images.origin}/good.iso` } })
  await waitFor(async () => (await applied()) >= before + 2, {
    what: 'two attempts to create the volume',
  })
  await setFinalizers([])
  await waitFor(async () => (await importState()) === 'ready', {
    timeoutMs: 14_000,
    what: 'the image',
  })
  expect(
    await admin.ask(both, { id, operation: again.retryVmTemplateImport.operation.id }),
  ).toEqual({
    vmTemplate: { importState: 'ready', importReason: null },
    operation: { state: 'succeeded' },
  })
})

describe('an import whose volume the cluster refuses although nothing remains', () => {
  const body = { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message: 'no' }
  test.each([
    { what: 'one refusal', refusals: 1, ends: 'ready' },
    { what: 'a repeated refusal', refusals: 2, ends: 'failed' },
  ])('the import is $ends after $what', async ({ refusals, ends }) => {
    await using images = await serveImages()
    const world = await aWorld()
    const { admin, namespace } = await world.tenant()
    const faults = sandboxFaults(world.cluster)
    await faults.inject('pace', { factor: 0.1 })
    await faults.inject('requests', {
      method: 'PATCH',
      path: `/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/*`,
      times: refusals,
      fault: { do: 'answer', status: 422, body },
    })
    const { createVmTemplate } = await admin.ask(create, {
      i: {
        name: unique('iso'),
        sourceType: 'iso',
        image: `${images.origin}/good.iso`,
        isoSizeGi: 1,
      },
    })
    const { id } = createVmTemplate.vmTemplate
    await world.ended('import_iso', id)
    const { vmTemplate } = await admin.ask(
      'query ($id: ID!) { vmTemplate(id: $id) { importState } }',
      { id },
    )
    expect(vmTemplate).toEqual({ importState: ends })
  })
})
