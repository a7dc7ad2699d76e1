import { generateKeyPairSync } from 'node:crypto'
import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type Act, type Place, by, under } from './request-fixture.ts'
import { unique } from '../world/world.ts'

const templateShows = 'tenant_id description source_type os_type boot_disk_size_gi import_state'
const vmShows = 'display_name image template template_ref hypervisor zone nics nics.mac nics.type'

const anSshKey = async ({ tenant }: Place): Promise<Json> => {
  const document =
    'mutation ($name: String!) { createSshKey(input: { name: $name }) { sshKey { id name } } }'
  return (await tenant.admin.ask(document, { name: unique('ssh') })).createSshKey.sshKey
}
const aTemplate = async ({ tenant }: Place): Promise<Json> =>
  (
    await tenant.admin.ask(
      'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id name } } }',
      {
        i: { name: unique('template'), image: 'quay.io/containerdisks/fedora:40' },
      },
    )
  ).createVmTemplate.vmTemplate

const made = async (place: Place, input: Record<string, unknown>): Promise<Json> => {
  const { id: templateId } = await aTemplate(place)
  const document = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name } } }'
  return (
    await place.tenant.admin.ask(document, {
      i: { name: unique('vm'), templateId, rootDisk: 'ephemeral', ...input },
    })
  ).createVm.vm
}

/** Down from the start: whoever needs one that runs says so. */
const aVm = (place: Place): Promise<Json> => made(place, { start: false })

const aStoppedVm = async (place: Place): Promise<Json> => {
  const vm = await aVm(place)
  await place.world.ended('deploy_vm', vm.id)
  return vm
}

async function anExposedVm(place: Place): Promise<Json> {
  const vm = await aStoppedVm(place)
  const { status, text } = await place.tenant.admin.rest('POST', `/vms/${vm.name}/ssh`, {
    body: {},
  })
  if (status !== 200) throw new Error(text)
  return vm
}

async function aRunningVm(place: Place): Promise<Json> {
  const vm = await made(place, {})
  const isUp = async (): Promise<boolean> => {
    const seen = (await place.tenant.admin.rest('GET', `/vms/${vm.name}`)).body.vm
    return seen.state === 'Running' && seen.ip !== undefined
  }
  await waitFor(isUp, { timeoutMs: 20_000, what: 'the VM to run' })
  return vm
}

/** One that somebody has removed from the cluster. */
async function aFailedVm(place: Place): Promise<Json> {
  const vm = await aStoppedVm(place)
  const path = `/apis/kubevirt.io/v1/namespaces/${place.tenant.namespace}/virtualmachines/${vm.name}`
  await place.world.cluster.call(path, { method: 'DELETE' })
  const isMissed = async (): Promise<boolean> =>
    (await place.tenant.admin.rest('GET', `/vms/${vm.name}`)).body.vm.state === 'Error'
  await waitFor(isMissed, { timeoutMs: 20_000, what: 'the VM to be missed' })
  return vm
}

/** One for all acts that leave it as it is. */
function shared(make: (place: Place) => Promise<Json>): (place: Place) => Promise<Json> {
  const made = new WeakMap<Place, Promise<Json>>()
  return (place) => {
    const vm = made.get(place) ?? make(place)
    made.set(place, vm)
    return vm
  }
}
const theRunningVm = shared(aRunningVm)
const theFailedVm = shared(aFailedVm)

export const makeVm = { sshKey: anSshKey, template: aTemplate, stopped: aStoppedVm, down: aVm }

export const vmActs: Readonly<Record<string, Act>> = {
  'GET /api/v1/vm-templates': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vm-templates?filter=${(await aTemplate(place)).name}`,
      shows: under('vm_templates', templateShows),
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
    arrange: async (place) => ({
      path: `/vm-templates/${(await aTemplate(place)).id}`,
      body: { display_name: 'Renamed', state: 'Inactive' },
      shows: under('vm_template', templateShows),
    }),
  },
  'DELETE /api/v1/vm-templates/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vm-templates/${(await aTemplate(place)).id}`,
    }),
  },
  'GET /api/v1/vms': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vms?filter=${(await aVm(place)).name}`,
      shows: under('vms', vmShows),
    }),
  },
  'GET /api/v1/vms/{name}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await aVm(place)).name}`,
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: '/vms',
      body: {
        name: unique('vm'),
        template_id: (await aTemplate(place)).id,
        ssh_key_id: (await anSshKey(place)).id,
        tags: ['a'],
      },
      shows: under('vm', vmShows),
    }),
  },
  'PATCH /api/v1/vms/{name}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await aStoppedVm(place)).name}`,
      body: { display_name: 'Renamed', cpu: 2, tags: ['a', 'b'] },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms/start': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: '/vms/start',
      body: { name: (await aStoppedVm(place)).name },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vms/stop': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: '/vms/stop',
      body: { name: (await aRunningVm(place)).name },
      shows: under('vm', `${vmShows} ip nics.ip`),
    }),
  },
  'POST /api/v1/vms/delete': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: '/vms/delete',
      body: { name: (await aStoppedVm(place)).name },
    }),
  },
  'GET /api/v1/vms/{name}/logs': {
    ...by.anyone,
    status: 200,
    media: 'text/plain',
    arrange: async (place) => ({
      path: `/vms/${(await theRunningVm(place)).name}/logs?tail=2`,
    }),
  },
  'POST /api/v1/vms/{name}/console-ticket': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: `/vms/${(await theRunningVm(place)).name}/console-ticket`,
    }),
  },
  'GET /api/v1/dashboard/summary': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => {
      await Promise.all([theRunningVm(place), theFailedVm(place)])
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
    arrange: async (place) => ({
      path: `/search?q=${(await theRunningVm(place)).name}`,
      shows: under('results', 'subtitle'),
    }),
  },
  'GET /api/v1/vms/{name}/ssh': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await anExposedVm(place)).name}/ssh`,
      shows: ['node_port'],
    }),
  },
  'POST /api/v1/vms/{name}/ssh': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await aStoppedVm(place)).name}/ssh`,
      body: { node_port: 0 },
    }),
  },
  'DELETE /api/v1/vms/{name}/ssh': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await anExposedVm(place)).name}/ssh`,
    }),
  },
  'GET /api/v1/notifications': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => {
      await theFailedVm(place)
      return {
        path: '/notifications',
        shows: under('notifications', 'path created_at'),
      }
    },
  },
  'GET /api/v1/ssh-keys': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/ssh-keys?filter=${(await anSshKey(place)).name}`,
    }),
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
    arrange: async (place) => ({
      path: `/ssh-keys/${(await anSshKey(place)).id}`,
    }),
  },
}

function aPublicKey(): string {
  const field = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(Buffer.from(x, 'base64url'))]).toString('base64')}`
}
