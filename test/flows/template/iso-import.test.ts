import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Images, serveImages, statusCanary } from '../../support/sandbox/image-server.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'
import { cancel, create, one, remove, retry } from '../../support/requests/iso-import.ts'

let images: Images
let world: World
let tenant: WorldTenant
beforeAll(async () => {
  images = await serveImages()
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.3 })
  tenant = await world.tenant()
})
afterAll(() => images[Symbol.asyncDispose]())

const templateOf = async (id: string, client: Client = tenant.admin): Promise<Json> =>
  (await client.ask(one, { id })).vmTemplate
const imported = async (
  path: string,
  more: Record<string, unknown> = {},
  of = tenant,
): Promise<Json> => {
  const image = path.startsWith('http') ? path : `${images.origin}/${path}`
  return (
    await of.admin.ask(create, {
      i: { name: unique('iso'), sourceType: 'iso', image, isoSizeGi: 1, ...more },
    })
  ).createVmTemplate
}
const operation = async (id: string, client: Client = tenant.admin): Promise<Json> =>
  (
    await client.ask(
      'query ($id: ID!) { operation(id: $id) { state progress cancellable fault { code message } steps { name state } } }',
      { id },
    )
  ).operation
const until = async (id: string, importState: string): Promise<Json> => {
  let last: Json
  await waitFor(async () => (last = await templateOf(id))?.importState === importState, {
    timeoutMs: 14_000,
    everyMs: 50,
    what: `${importState} of ${id}`,
  }).catch((error: unknown) =>
    Promise.reject(new Error(`${String(error)}: ${JSON.stringify(last)}`)),
  )
  return last
}
const volumePath = (id: string, of = tenant): string =>
  `/apis/cdi.kubevirt.io/v1beta1/namespaces/${of.namespace}/datavolumes/iso-${id}`
const claimPath = (id: string): string =>
  `/api/v1/namespaces/${tenant.namespace}/persistentvolumeclaims/iso-${id}`
const exists = async (path: string): Promise<boolean> =>
  (await world.cluster.call(path)).status === 200
const isClean = (id: string): Promise<void> =>
  waitFor(async () => !(await exists(volumePath(id))) && !(await exists(claimPath(id))), {
    timeoutMs: 10_000,
    what: 'the volume and its claim to be gone',
  })

describe('ISO templates', () => {
  test('an ISO template is inactive during its import, and active with its volume afterwards', async () => {
    const made = await imported('win.iso')
    expect(made.vmTemplate).toMatchObject({
      sourceType: 'iso',
      osType: 'windows',
      state: 'Inactive',
      importState: 'importing',
      importReason: null,
      refusals: {
        retryImport: expect.stringContaining('still being imported'),
        deploy: expect.stringContaining('still being imported'),
      },
    })
    expect(made.operation).toMatchObject({
      kind: 'import_iso',
      state: 'pending',
      targetId: made.vmTemplate.id,
      cancellable: true,
    })
    const { id } = made.vmTemplate
    const viewer = await tenant.as('viewer')
    expect((await operation(made.operation.id, viewer)).cancellable).toBe(false)
    expect(await until(id, 'ready')).toMatchObject({
      state: 'Active',
      importReason: null,
      importPercent: 100,
      refusals: { deploy: null },
    })
    expect(await operation(made.operation.id)).toMatchObject({
      state: 'succeeded',
      progress: 100,
      fault: null,
      cancellable: false,
    })
    expect(
      (await operation(made.operation.id)).steps.map(({ name, state }: Json) => `${name} ${state}`),
    ).toEqual(['volume done', 'import done', 'ready done'])
    const volume = (await world.cluster.call(volumePath(id))).body
    expect(Object.values(volume.metadata.labels ?? {})).toEqual(
      expect.arrayContaining([id, tenant.id]),
    )
    expect((await world.cluster.call(claimPath(id))).body.status).toMatchObject({ phase: 'Bound' })
    expect((await tenant.admin.graphql(retry, { i: { id } })).code).toBe('wrong_state')
  })

  test('an import reports per cent, bytes, rate and remaining time to polls and subscriptions', async () => {
    const { vmTemplate } = await imported('progress.slow.iso')
    const { id } = vmTemplate
    const peer = await GraphqlSocketClient.login(world.url, { token: tenant.admin.token })
    const watched = peer.subscribe(
      `subscription ($id: ID!) { vmTemplateChanged(id: $id) { importState importPercent importedBytes totalBytes bytesPerSecond importEtaSeconds version } }`,
      { id },
    )
    const sent = (): Json[] => peer.of(watched).map(({ payload }) => payload.data.vmTemplateChanged)
    const distinct = (): number[] =>
      [...new Set(sent().map(({ importPercent }) => importPercent as number))].filter(
        (percent) => percent > 0,
      )
    await waitFor(() => distinct().length > 0, { timeoutMs: 10_000, what: 'the first progress' })
    images.sendPortion()
    images.sendPortion()
    await waitFor(() => sent().some(({ bytesPerSecond }) => bytesPerSecond > 0), {
      timeoutMs: 10_000,
      what: 'a rate',
    })
    const news = sent().find(({ bytesPerSecond }) => bytesPerSecond > 0)
    expect(news.totalBytes).toBe(2 ** 30)
    expect(news.importedBytes).toBe(Math.round((2 ** 30 * news.importPercent) / 100))
    expect(news.importEtaSeconds).toBe(
      Math.ceil((2 ** 30 - news.importedBytes) / news.bytesPerSecond),
    )
    expect((await templateOf(id)).importPercent).toBeGreaterThan(0)
    images.sendAll()
    await until(id, 'ready')
    await waitFor(() => sent().at(-1)?.importState === 'ready', { what: 'readiness' })
    const versions = sent().map(({ version }) => version as number)
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    peer.leave()
  })

  test.each([
    ['nothing', 'not_found', 'import_failed'],
    ['page.html', 'not_an_image', 'import_failed'],
    ['a.huge.qcow2', 'too_large', 'import_failed'],
    ['http://127.0.0.1:9/a.iso', 'unreachable', 'import_failed'],
  ])(
    'an import from %s fails as %s with a clear message, and leaves nothing',
    async (path, reason, code) => {
      const { vmTemplate, operation: started } = await imported(path)
      const { id } = vmTemplate
      const failed = await until(id, 'failed')
      expect(failed).toMatchObject({
        state: 'Inactive',
        importReason: reason,
        importPercent: null,
        refusals: { retryImport: null },
      })
      const ended = await operation(started.id)
      expect(ended).toMatchObject({
        state: 'failed',
        fault: { code, message: failed.importDetail },
      })
      const everything = JSON.stringify([failed, ended])
      for (const inner of [
        statusCanary,
        'ECONNREFUSED',
        'importer-',
        'prime-',
        'qemu',
        'PVC',
        'DataVolume',
        tenant.namespace,
      ])
        expect(everything).not.toContain(inner)
      await isClean(id)
    },
    30_000,
  )

  test('a failed import can be retried from another URL within the same template', async () => {
    const { vmTemplate } = await imported('nothing')
    const { id } = vmTemplate
    await until(id, 'failed')
    expect(
      (await tenant.admin.graphql(retry, { i: { id, url: 'http://169.254.169.254/' } })).code,
    ).toBe('invalid_input')
    const { retryVmTemplateImport: again } = await tenant.admin.ask(retry, {
      i: { id, url: `${images.origin}/good.iso` },
    })
    expect(again.vmTemplate).toMatchObject({
      importState: 'importing',
      importReason: null,
      image: `${images.origin}/good.iso`,
      state: 'Inactive',
    })
    expect(again.operation.kind).toBe('import_iso')
    expect(await until(id, 'ready')).toMatchObject({ id, state: 'Active' })
  })

  test('a cancelled import stops, leaves nothing, and can be retried', async () => {
    const path = `${unique('cancel')}.iso`
    await sandboxFaults(world.cluster).inject('controllers/hold', {
      controller: 'import-controller',
    })
    const { vmTemplate, operation: started } = await imported(path)
    const { id } = vmTemplate
    await waitFor(() => exists(volumePath(id)), { what: 'the volume' })
    await tenant.admin.ask(cancel, { i: { id: started.id } })
    expect(await until(id, 'failed')).toMatchObject({
      importReason: 'cancelled',
      state: 'Inactive',
    })
    expect(await operation(started.id)).toMatchObject({
      state: 'cancelled',
      fault: { code: 'cancelled' },
    })
    await sandboxFaults(world.cluster).inject('controllers/release', {
      controller: 'import-controller',
    })
    await isClean(id)
    expect((await tenant.admin.graphql(cancel, { i: { id: started.id } })).code).toBe('wrong_state')
    await tenant.admin.ask(retry, { i: { id } })
    await until(id, 'ready')
    expect(images.requests).toContain(`/${path}`)
  })

  const importer = { controller: 'import-controller' }
  const endTime = 'update operation set deadline = now(), deadline_seconds = 1'
  test('an import that misses its deadline fails as `timeout`, and is ready when the cluster completes it', async () => {
    await sandboxFaults(world.cluster).inject('controllers/hold', importer)
    const { vmTemplate, operation: started } = await imported('late.iso')
    const volumeStep = async (): Promise<unknown> =>
      (await operation(started.id)).steps.find(({ name }: Json) => name === 'volume').state
    await waitFor(async () => (await volumeStep()) === 'done', { what: 'the volume' })
    await world.database.sql(`${endTime} where id = '${started.id}'`)
    expect(await until(vmTemplate.id, 'failed')).toMatchObject({ importReason: 'timeout' })
    expect(await operation(started.id)).toMatchObject({
      state: 'failed',
      fault: { code: 'timeout' },
    })
    await sandboxFaults(world.cluster).inject('controllers/release', importer)
    expect(await until(vmTemplate.id, 'ready')).toMatchObject({ importReason: null })
  })

  test('a template that is deleted during its import is gone, and a repeated deletion joins the first', async () => {
    const { vmTemplate, operation: started } = await imported(`${unique('del')}.iso`)
    const { id } = vmTemplate
    const [first, second] = await Promise.all([
      tenant.admin.ask(remove, { i: { id } }),
      tenant.admin.ask(remove, { i: { id } }),
    ])
    expect(first.deleteVmTemplate.operation.id).toBe(second.deleteVmTemplate.operation.id)
    expect(first.deleteVmTemplate).toMatchObject({
      vmTemplate: { deleting: true },
      operation: { kind: 'delete_vm_template' },
    })
    expect(await world.ended('delete_vm_template', id)).toMatchObject({
      state: 'succeeded',
      progress: 100,
    })
    expect(await operation(started.id)).toMatchObject({ state: 'superseded' })
    await isClean(id)
    expect(await templateOf(id)).toBeNull()
    expect((await tenant.admin.graphql(remove, { i: { id } })).code).toBe('not_found')
  })

  test('a ready template is deleted with its volume', async () => {
    const { vmTemplate } = await imported('ready.iso')
    await until(vmTemplate.id, 'ready')
    await tenant.admin.ask(remove, { i: { id: vmTemplate.id } })
    expect((await world.ended('delete_vm_template', vmTemplate.id)).state).toBe('succeeded')
    await isClean(vmTemplate.id)
  })

  test('a template whose volume was deleted in the cluster is lost, and can be retried', async () => {
    const { vmTemplate } = await imported('lost.iso')
    const { id } = vmTemplate
    await until(id, 'ready')
    await world.cluster.call(volumePath(id), { method: 'DELETE' })
    await isClean(id)
    await world.database.sql(
      `insert into work (kind, object_id, tenant_id) values ('vm_template', '${id}', '${tenant.id}') on conflict do nothing`,
    )
    expect(await until(id, 'failed')).toMatchObject({ importReason: 'lost', state: 'Inactive' })
    expect(await exists(volumePath(id))).toBe(false)
    await tenant.admin.ask(retry, { i: { id } })
    await until(id, 'ready')
  })

  test('an import does not adopt or touch a volume of the same name without its labels', async () => {
    const stranger = await imported('stranger.iso')
    const { id } = stranger.vmTemplate
    await until(id, 'ready')
    await tenant.admin.ask(remove, { i: { id } })
    await world.ended('delete_vm_template', id)
    await isClean(id)
    const made = await world.cluster.call(volumePath(id).replace(/\/[^/]+$/, ''), {
      method: 'POST',
      body: {
        apiVersion: 'cdi.kubevirt.io/v1beta1',
        kind: 'DataVolume',
        metadata: { name: `iso-${id}` },
        spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
      },
    })
    expect(made.status).toBe(201)
    await world.database.sql(
      `update vm_template set gone_at = null, delete_requested_at = null, import_state = 'importing', cluster_uid = null, import_percent = null where id = '${id}'`,
    )
    await world.database.sql(
      `insert into work (kind, object_id, tenant_id) values ('vm_template', '${id}', '${tenant.id}') on conflict do nothing`,
    )
    expect(await until(id, 'failed')).toMatchObject({ importReason: 'name_in_use' })
    const after = await world.cluster.call(volumePath(id))
    expect(after.body.metadata.uid).toBe(made.body.metadata.uid)
    expect(
      (await world.cluster.call(volumePath(id))).body.metadata.deletionTimestamp,
    ).toBeUndefined()
  })

  test('a volume that a stale worker creates after the template’s end is removed', async () => {
    const { vmTemplate } = await imported('zombie.iso')
    const { id } = vmTemplate
    await until(id, 'ready')
    await tenant.admin.ask(remove, { i: { id } })
    await world.ended('delete_vm_template', id)
    await isClean(id)
    const labels = {
      'berth.dev/managed-by': 'berth',
      'berth.dev/tenant-id': tenant.id,
      'berth.dev/row-id': id,
    }
    await world.cluster.call(volumePath(id).replace(/\/[^/]+$/, ''), {
      method: 'POST',
      body: {
        apiVersion: 'cdi.kubevirt.io/v1beta1',
        kind: 'DataVolume',
        metadata: { name: `iso-${id}`, labels },
        spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
      },
    })
    await world.database.sql(
      `insert into work (kind, object_id, tenant_id) values ('vm_template', '${id}', '${tenant.id}') on conflict do nothing`,
    )
    await isClean(id)
  })
})

describe('imports and tenants', () => {
  test('an import is invisible to other tenants', async () => {
    const rival = await world.tenant()
    const { vmTemplate } = await imported('private.iso', {}, rival)
    expect(await templateOf(vmTemplate.id)).toBeNull()
    const peer = await GraphqlSocketClient.login(world.url, { token: tenant.admin.token })
    const document = 'subscription ($id: ID!) { vmTemplateChanged(id: $id) { id } }'
    const watched = peer.subscribe(document, { id: vmTemplate.id })
    const absent = peer.subscribe(document, { id: randomUUID() })
    await waitFor(() => [watched, absent].every((id) => peer.of(id).length > 0), {
      what: 'both refusals',
    })
    expect(JSON.stringify(peer.of(watched)).replaceAll(vmTemplate.id, 'ID')).toContain('not_found')
    peer.leave()
    for (const [document, i] of [
      [retry, { id: vmTemplate.id }],
      [remove, { id: vmTemplate.id }],
    ] as const)
      expect((await tenant.admin.graphql(document, { i })).code).toBe('not_found')
    expect((await rival.admin.ask(one, { id: vmTemplate.id })).vmTemplate.id).toBe(vmTemplate.id)
  })

  test('an import is refused in a tenant that is being deleted, and an open import ends with it', async () => {
    const going = await world.tenant()
    const controller = 'import-controller'
    await sandboxFaults(world.cluster).inject('controllers/hold', { controller })
    const { vmTemplate } = await imported('going.iso', {}, going)
    await world.root.rest('DELETE', `/tenants/${going.id}`)
    const isDeleting = `select 1 from tenant where id = '${going.id}' and state = 'deleting'`
    await waitFor(async () => (await world.database.sql(isDeleting)).length > 0, {
      what: 'the tenant to be deleting',
    })
    const answer = await world.root
      .with({ 'x-tenant-id': going.id })
      .graphql(create, { i: { name: 'late', sourceType: 'iso', image: `${images.origin}/a.iso` } })
    expect(['tenant_deleting', 'not_found', 'tenant_forbidden']).toContain(answer.code)
    await sandboxFaults(world.cluster).inject('controllers/release', { controller })
    expect(await world.ended('import_iso', vmTemplate.id)).toMatchObject({
      state: 'failed',
      fault_code: 'tenant_deleting',
    })
    expect((await world.ended('delete_tenant', going.id)).state).toBe('succeeded')
  })
})
