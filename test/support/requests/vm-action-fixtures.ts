import { importedIso } from '../actions/iso-template.ts'
import { type Json } from '../json.ts'
import { type Images, serveImages } from '../sandbox/image-server.ts'
import { waitFor } from '../wait-for.ts'
import { closeAfterFile } from '../world/after-file.ts'
import { unique } from '../world/world.ts'
import { networkMakers } from './network-fixtures.ts'
import { type RouteFixture, type FixtureContext, by, madeBy, under } from './request-fixture.ts'
import { aRunningVm, aStoppedVm, shared, vmShows } from './vm-fixtures.ts'

/** The server runs until the end of the file, because an import may still read from it. */
async function images(): Promise<Images> {
  const served = await serveImages()
  closeAfterFile(async () => served[Symbol.asyncDispose]())
  return served
}

const theImages = shared(images)

/** Imports the ISO once for all fixtures. */
const theIso = shared(async (context: FixtureContext) =>
  importedIso(context.tenant, await theImages(context)),
)

/** Creates a stopped VM that has the ISO of its installation. */
async function aVmWithIso(context: FixtureContext): Promise<Json> {
  const { id } = await theIso(context)
  const { vm } = await madeBy(context.tenant.admin, '/vms', {
    name: unique('iso'),
    template_id: id,
    start: false,
  })
  await context.world.ended('deploy_vm', vm.id)
  return vm
}

/** Creates a template whose ISO is being imported, or cannot be. */
async function anImport(context: FixtureContext, file: string): Promise<Json> {
  const { origin } = await theImages(context)
  return (
    await madeBy(context.tenant.admin, '/vm-templates', {
      name: unique('iso'),
      source_type: 'iso',
      image: `${origin}/${file}`,
      iso_size_gi: 1,
    })
  ).vm_template
}

async function aFailedImport(context: FixtureContext): Promise<Json> {
  const template = await anImport(context, 'nothing')
  const isFailed = async (): Promise<boolean> =>
    (await context.tenant.admin.rest('GET', `/vm-templates/${template.id}`)).body.vm_template
      .import_state === 'failed'
  await waitFor(isFailed, { timeoutMs: 20_000, what: 'the import to fail' })
  return template
}

/** Returns the operation of an import that does not end by itself. */
async function anOpenOperation(context: FixtureContext): Promise<Json> {
  const { id } = await anImport(context, `${unique('image')}.slow.iso`)
  const path = `/operations?target_id=${id}`
  return (await context.tenant.admin.rest('GET', path)).body.operations[0]
}

async function aPausedVm(context: FixtureContext): Promise<Json> {
  const vm = await aRunningVm(context)
  const { status, text } = await context.tenant.admin.rest('POST', `/vms/${vm.name}/pause`, {
    body: {},
    headers: { prefer: 'wait=20' },
  })
  if (status !== 200) throw new Error(text)
  return vm
}

async function anAttachedNetwork(context: FixtureContext): Promise<{ vm: Json; network: Json }> {
  const [vm, network] = [await aStoppedVm(context), await networkMakers.network(context)]
  const { status, text } = await context.tenant.admin.rest('POST', `/vms/${vm.name}/networks`, {
    body: { network_id: network.id },
    headers: { prefer: 'wait=20' },
  })
  if (status !== 200) throw new Error(text)
  return { vm, network }
}

/** A VM that another client has switched on in the cluster. */
async function aChangedVm(context: FixtureContext): Promise<Json> {
  const vm = await aStoppedVm(context)
  const { cluster, database } = context.world
  const path = `namespaces/${context.tenant.namespace}/virtualmachines/${vm.name}`
  await cluster.call(`/apis/kubevirt.io/v1/${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { spec: { runStrategy: 'RerunOnFailure' } },
  })
  const changed = `select 1 from vm where id = '${vm.id}' and drift is not null`
  await waitFor(async () => (await database.sql(changed)).length > 0, {
    timeoutMs: 15_000,
    what: 'Berth to notice the change',
  })
  return vm
}

const action = (
  at: string,
  vmFrom: (context: FixtureContext) => Promise<Json>,
  body: Record<string, unknown> = {},
): RouteFixture => ({
  ...by.admin,
  status: 200,
  arrange: async (context) => ({
    path: `/vms/${(await vmFrom(context)).name}/${at}`,
    body,
    shows: under('vm', vmShows),
  }),
})

/** A successful request for each REST route of actions on VMs, imports and operations. */
export const vmActionFixtures: Readonly<Record<string, RouteFixture>> = {
  'POST /api/v1/vms/{name}/restart': action('restart', aRunningVm, { force: true }),
  'POST /api/v1/vms/{name}/pause': action('pause', aRunningVm),
  'POST /api/v1/vms/{name}/resume': action('resume', aPausedVm),
  'POST /api/v1/vms/{name}/eject-iso': action('eject-iso', aVmWithIso),
  'POST /api/v1/vms/{name}/drift/revert': action('drift/revert', aChangedVm),
  'POST /api/v1/vms/{name}/drift/accept': action('drift/accept', aChangedVm),
  'GET /api/v1/vms/{name}/security-groups': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}/security-groups`,
    }),
  },
  'PATCH /api/v1/vms/{name}/security-groups': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}/security-groups`,
      body: { security_group_ids: [(await networkMakers.securityGroup(context)).id] },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms/{name}/networks': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}/networks`,
      body: { network_id: (await networkMakers.network(context)).id },
      shows: under('vm', vmShows),
    }),
  },
  'DELETE /api/v1/vms/{name}/networks/{network_id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => {
      const { vm, network } = await anAttachedNetwork(context)
      return { path: `/vms/${vm.name}/networks/${network.id}`, shows: under('vm', vmShows) }
    },
  },
  'GET /api/v1/vms/{name}/events': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({ path: `/vms/${(await aStoppedVm(context)).name}/events` }),
  },
  'POST /api/v1/vm-templates/{id}/retry-import': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-templates/${(await aFailedImport(context)).id}/retry-import`,
      body: { url: `${(await theImages(context)).origin}/small.iso` },
      shows: under('vm_template', 'import_state iso_size_gi'),
    }),
  },
  'POST /api/v1/operations/{id}/cancel': {
    ...by.admin,
    status: 200,
    leavesOperationOpen: true,
    arrange: async (context) => ({
      path: `/operations/${(await anOpenOperation(context)).id}/cancel`,
    }),
  },
}
