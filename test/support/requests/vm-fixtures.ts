import { generateKeyPairSync } from 'node:crypto'
import { aFailedDeploy } from '../actions/failed-deploy.ts'
import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type RouteFixture, type FixtureContext, by, under } from './request-fixture.ts'
import { unique } from '../world/world.ts'

const templateShows = 'tenant_id description source_type os_type boot_disk_size_gi import_state'
export const vmShows =
  'display_name image template template_ref hypervisor zone nics nics.mac nics.type'

const anSshKey = async ({ tenant }: FixtureContext): Promise<Json> => {
  const document =
    'mutation ($name: String!) { createSshKey(input: { name: $name }) { sshKey { id name } } }'
  return (await tenant.admin.ask(document, { name: unique('ssh') })).createSshKey.sshKey
}
const aTemplate = async ({ tenant }: FixtureContext): Promise<Json> =>
  (
    await tenant.admin.ask(
      'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id name } } }',
      {
        i: { name: unique('template'), image: 'quay.io/containerdisks/fedora:40' },
      },
    )
  ).createVmTemplate.vmTemplate

const made = async (context: FixtureContext, input: Record<string, unknown>): Promise<Json> => {
  const { id: templateId } = await aTemplate(context)
  const document = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name } } }'
  return (
    await context.tenant.admin.ask(document, {
      i: { name: unique('vm'), templateId, rootDisk: 'ephemeral', ...input },
    })
  ).createVm.vm
}

/** Creates a VM that does not start. */
const aVm = (context: FixtureContext): Promise<Json> => made(context, { start: false })

export const aStoppedVm = async (context: FixtureContext): Promise<Json> => {
  const vm = await aVm(context)
  await context.world.ended('deploy_vm', vm.id)
  return vm
}

async function anExposedVm(context: FixtureContext): Promise<Json> {
  const vm = await aStoppedVm(context)
  const { status, text } = await context.tenant.admin.rest('POST', `/vms/${vm.name}/ssh`, {
    body: {},
  })
  if (status !== 200) throw new Error(text)
  return vm
}

export async function aRunningVm(context: FixtureContext): Promise<Json> {
  const vm = await made(context, {})
  const isUp = async (): Promise<boolean> => {
    const vmNow = (await context.tenant.admin.rest('GET', `/vms/${vm.name}`)).body.vm
    return vmNow.state === 'Running' && vmNow.ip !== undefined
  }
  await waitFor(isUp, { timeoutMs: 20_000, what: 'the VM to run' })
  return vm
}

/** Creates a VM and deletes its VirtualMachine in the cluster, behind Berth. */
async function aFailedVm(context: FixtureContext): Promise<Json> {
  const vm = await aStoppedVm(context)
  const path = `/apis/kubevirt.io/v1/namespaces/${context.tenant.namespace}/virtualmachines/${vm.name}`
  await context.world.cluster.call(path, { method: 'DELETE' })
  const isInError = async (): Promise<boolean> =>
    (await context.tenant.admin.rest('GET', `/vms/${vm.name}`)).body.vm.state === 'Error'
  await waitFor(isInError, { timeoutMs: 20_000, what: 'the VM to have the state Error' })
  return vm
}

/** Creates an object once for all fixtures that do not change it. */
export function shared<Made>(
  make: (context: FixtureContext) => Promise<Made>,
): (context: FixtureContext) => Promise<Made> {
  const made = new WeakMap<FixtureContext, Promise<Made>>()
  return (context) => {
    const object = made.get(context) ?? make(context)
    made.set(context, object)
    return object
  }
}
const theRunningVm = shared(aRunningVm)
const theFailedVm = shared(aFailedVm)

export const vmMakers = { sshKey: anSshKey, template: aTemplate, vm: aVm }

/** A successful request for each REST route of VMs and templates. */
export const vmFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/vm-templates': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-templates?filter=${(await aTemplate(context)).name}`,
      shows: under('vm_templates', templateShows),
    }),
  },
  'GET /api/v1/vm-templates/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-templates/${(await aTemplate(context)).id}`,
      shows: under('vm_template', templateShows),
    }),
  },
  'POST /api/v1/vm-templates': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/vm-templates',
      body: {
        name: unique('template'),
        image: 'quay.io/containerdisks/fedora:40',
        cloud_init_user_data: '#cloud-config',
      },
      shows: under('vm_template', `${templateShows} cloud_init_user_data`),
    }),
  },
  'PATCH /api/v1/vm-templates/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-templates/${(await aTemplate(context)).id}`,
      body: { display_name: 'Renamed', state: 'Inactive' },
      shows: under('vm_template', templateShows),
    }),
  },
  'DELETE /api/v1/vm-templates/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-templates/${(await aTemplate(context)).id}`,
    }),
  },
  'GET /api/v1/vms': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vms?filter=${(await theRunningVm(context)).name}`,
      shows: under('vms', `${vmShows} ip nics.ip`),
    }),
  },
  'GET /api/v1/platform-vms': {
    ...by.root,
    status: 200,
    arrange: async (context) => ({
      path: `/platform-vms?filter=${(await aVm(context)).name}`,
      shows: under('platform_vms', `${vmShows} tenant_id`),
    }),
  },
  'GET /api/v1/vms/{name}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await theRunningVm(context)).name}`,
      shows: under('vm', `${vmShows} ip nics.ip`),
    }),
  },
  'POST /api/v1/vms': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/vms',
      body: {
        name: unique('vm'),
        template_id: (await aTemplate(context)).id,
        ssh_key_id: (await anSshKey(context)).id,
        tags: ['a'],
      },
      shows: under('vm', vmShows),
    }),
  },
  'PATCH /api/v1/vms/{name}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}`,
      body: { display_name: 'Renamed', cpu: 2, tags: ['a', 'b'] },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms/start': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: '/vms/start',
      body: { name: (await aStoppedVm(context)).name },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms/stop': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: '/vms/stop',
      body: { name: (await aRunningVm(context)).name },
      shows: under('vm', `${vmShows} ip nics.ip`),
    }),
  },
  'POST /api/v1/vms/retry': {
    ...by.admin,
    status: 200,
    arrange: async ({ world, tenant }) => {
      const { vm, clearTheWay } = await aFailedDeploy(world, tenant)
      await clearTheWay()
      return { path: '/vms/retry', body: { name: vm.name }, shows: under('vm', vmShows) }
    },
  },
  'POST /api/v1/vms/delete': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: '/vms/delete',
      body: { name: (await aStoppedVm(context)).name },
    }),
  },
  'GET /api/v1/vms/{name}/logs': {
    ...by.anyone,
    status: 200,
    media: 'text/plain',
    arrange: async (context) => ({
      path: `/vms/${(await theRunningVm(context)).name}/logs?tail=2`,
    }),
  },
  'POST /api/v1/vms/{name}/console-ticket': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: `/vms/${(await theRunningVm(context)).name}/console-ticket`,
    }),
  },
  'GET /api/v1/dashboard/summary': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await Promise.all([theRunningVm(context), theFailedVm(context)])
      return {
        path: '/dashboard/summary',
        shows: [
          ...under('vms', 'running error'),
          ...under('recent_activity', 'display_name updated_at'),
        ],
      }
    },
  },
  'GET /api/v1/search': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/search?q=${(await theRunningVm(context)).name}`,
      shows: under('results', 'subtitle'),
    }),
  },
  'GET /api/v1/vms/{name}/ssh': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await anExposedVm(context)).name}/ssh`,
      shows: ['node_port'],
    }),
  },
  'POST /api/v1/vms/{name}/ssh': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}/ssh`,
      body: { node_port: 0 },
    }),
  },
  'DELETE /api/v1/vms/{name}/ssh': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await anExposedVm(context)).name}/ssh`,
    }),
  },
  'GET /api/v1/notifications': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await theFailedVm(context)
      return {
        path: '/notifications',
        shows: under('notifications', 'path created_at'),
      }
    },
  },
  'GET /api/v1/ssh-keys': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/ssh-keys?filter=${(await anSshKey(context)).name}`,
    }),
  },
  'GET /api/v1/ssh-keys/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({ path: `/ssh-keys/${(await anSshKey(context)).id}` }),
  },
  'POST /api/v1/ssh-keys': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/ssh-keys',
      body: { name: unique('ssh') },
    }),
  },
  'POST /api/v1/ssh-keys/register': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/ssh-keys/register',
      body: { name: unique('ssh'), public_key: aPublicKey() },
    }),
  },
  'DELETE /api/v1/ssh-keys/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/ssh-keys/${(await anSshKey(context)).id}`,
    }),
  },
}

function aPublicKey(): string {
  const field = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(x, 'base64url'))]).toString('base64')}`
}
