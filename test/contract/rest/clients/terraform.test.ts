import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../../support/json.ts'
import { sandboxFaults } from '../../../support/sandbox/faults.ts'
import {
  type World,
  aWorld,
  adminPassword,
  rootPassword,
  unique,
} from '../../../support/world/world.ts'
import {
  type ClientHabits,
  type Known,
  type Player,
  type Step,
  namedIn,
  playerOf,
} from './player.ts'

/*
 * The requests of the Terraform provider of VirtFoundry, 0.3 to 0.5. Terraform sends the requests
 * of resources that do not depend on each other at the same time, and repeats none of them.
 */
let world: World
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
})

const provider: ClientHabits = {
  headers: ({ token, tenant }, { path, body }) => ({
    'user-agent': 'Go-http-client/1.1',
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(token && { authorization: `Bearer ${token}` }),
    // Tenants belong to a provider of their own, which names no tenant.
    ...(tenant && !String(path).startsWith(tenantsPath) && { 'x-tenant-id': tenant.id }),
    ...(body && { 'content-type': 'application/json' }),
  }),
  timeoutMs: 30_000,
  states: {
    vm: ['starting', 'running', 'stopping', 'stopped'],
    volume: ['creating', 'ready', 'attached'],
    network: ['creating', 'active'],
    vpc: ['creating', 'active'],
  },
}
const tenantsPath = '/api/v1/tenants'

const configure: Step[] = [
  {
    does: 'log in',
    method: 'POST',
    path: '/api/v1/auth/login',
    body: () => ({ username: 'root', password: rootPassword }),
    reads: ({ token }, known) => (known['token'] = token),
  },
  { does: 'check the health', method: 'GET', path: '/health' },
  { does: 'check the credential', method: 'GET', path: '/api/v1/auth/me' },
]

const catalogue: Step[] = [
  {
    does: 'read the offerings',
    method: 'GET',
    path: '/api/v1/service-offerings',
    reads: ({ service_offerings: all }, known) => (known['offering'] = namedIn(all, 'small')),
  },
  {
    does: 'read the templates',
    method: 'GET',
    path: '/api/v1/vm-templates',
    reads: ({ vm_templates: all }, known) => (known['template'] = namedIn(all, 'ubuntu-2204')),
  },
]

/** A resource of the configuration. Its values are compared with every answer that shows them. */
interface Resource {
  type: string
  config: (known: Known) => Json
  create: { path: string | ((known: Known) => string); wrapper: string }
  /** Reads one object, or a list in which Terraform looks for the id. */
  read: { path: string | ((known: Known) => string); wrapper: string }
  /** Fields that are sent, but are not in answers. */
  hidden?: readonly string[]
  destroy: ((known: Known) => Pick<Step, 'method' | 'path' | 'body'>) | null
}

/** A collection whose objects are created by a POST, listed, and deleted by their id. */
const collection = (
  type: string,
  { path, wrapper, list = `${wrapper}s` }: { path: string; wrapper: string; list?: string },
): Pick<Resource, 'type' | 'create' | 'read' | 'destroy'> => ({
  type,
  create: { path, wrapper },
  read: { path, wrapper: list },
  destroy: (known) => ({ method: 'DELETE', path: `${path}/${known[type].id}` }),
})

const slug = unique('tf')
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtrfWW8bzCUzqFfVqDlmzBBfaVvKJcPLSf3NOjDuYqV'
const volumesOfVm = ({ vm }: Known): string => `/api/v1/vms/${vm.name}/volumes`

/** The resources in the order of the graph. Those of one step are independent of each other. */
const stack: Resource[][] = [
  [
    {
      ...collection('tenant', { path: tenantsPath, wrapper: 'tenant' }),
      config: () => ({ name: 'Terraform', slug, admin_password: adminPassword }),
      hidden: ['admin_password'],
    },
  ],
  [
    {
      ...collection('vpc', { path: '/api/v1/vpcs', wrapper: 'vpc' }),
      config: () => ({ name: 'main', cidr: '10.60.1.7/16' }),
    },
    {
      ...collection('key', { path: '/api/v1/ssh-keys', wrapper: 'key', list: 'ssh_keys' }),
      create: { path: '/api/v1/ssh-keys/register', wrapper: 'key' },
      config: () => ({ name: 'admin', public_key: key }),
    },
    {
      ...collection('volume', { path: '/api/v1/volumes', wrapper: 'volume' }),
      config: () => ({ name: 'data', size_gi: 1 }),
    },
  ],
  [
    {
      ...collection('network', { path: '/api/v1/networks', wrapper: 'network' }),
      config: ({ vpc }) => ({ name: 'private', vpc_id: vpc.id, cidr: '10.60.8.9/24' }),
    },
    {
      ...collection('group', { path: '/api/v1/security-groups', wrapper: 'security_group' }),
      config: ({ vpc }) => ({
        name: 'ssh',
        description: 'SSH from anywhere',
        vpc_id: vpc.id,
        rules: [
          { direction: 'ingress', protocol: 'tcp', port_from: 22, port_to: 22, cidr: '0.0.0.0/0' },
          { direction: 'ingress', protocol: 'icmp', cidr: '10.60.1.7/16' },
        ],
      }),
    },
    {
      type: 'volumeSnapshot',
      config: ({ volume }) => ({ volume_id: volume.id, name: 'data-1' }),
      create: { path: '/api/v1/snapshots', wrapper: 'snapshot' },
      read: { path: '/api/v1/snapshots', wrapper: 'snapshots' },
      // The provider knows no request for this, and forgets the snapshot.
      destroy: null,
    },
  ],
  [
    {
      type: 'vm',
      config: ({ template, offering, network, group, key: { id } }) => ({
        name: 'app',
        display_name: 'The App',
        template_id: template.id,
        service_offering_id: offering.id,
        network_ids: [network.id],
        security_group_ids: [group.id],
        ssh_key_id: id,
      }),
      hidden: ['template_id', 'network_ids', 'security_group_ids', 'ssh_key_id'],
      create: { path: '/api/v1/vms', wrapper: 'vm' },
      read: { path: ({ vm }) => `/api/v1/vms/${vm.name}`, wrapper: 'vm' },
      destroy: ({ vm }) => ({
        method: 'POST',
        path: '/api/v1/vms/delete',
        body: () => ({ name: vm.name }),
      }),
    },
  ],
  [
    {
      type: 'attachment',
      config: ({ volume }) => ({ volume_id: volume.id }),
      hidden: ['volume_id'],
      create: { path: volumesOfVm, wrapper: 'volume' },
      read: { path: volumesOfVm, wrapper: 'volumes' },
      destroy: (known) => ({
        method: 'DELETE',
        path: `${volumesOfVm(known)}/${known['volume'].id}`,
      }),
    },
    {
      type: 'vmSnapshot',
      config: ({ vm }) => ({ vm_name: vm.name, name: 'app-1' }),
      create: { path: '/api/v1/vm-snapshots', wrapper: 'vm_snapshot' },
      read: { path: '/api/v1/vm-snapshots', wrapper: 'vm_snapshots' },
      destroy: ({ vmSnapshot }) => ({
        method: 'POST',
        path: '/api/v1/vm-snapshots/delete',
        body: () => ({ name: vmSnapshot.name }),
      }),
    },
  ],
]

/** Another value than the configured one is "inconsistent result after apply", or drift later. */
function expectConfigured(resource: Resource, shown: Json, sent: Json): void {
  const compared = Object.keys(sent).filter((name) => !resource.hidden?.includes(name))
  for (const name of compared)
    expect(shown[name], `${name} of the ${resource.type}`).toEqual(sent[name])
}

const creationOf = (resource: Resource): Step => {
  let sent: Json
  return {
    does: `create the ${resource.type}`,
    method: 'POST',
    path: resource.create.path,
    body: (known) => (sent = resource.config(known)),
    reads(body, known) {
      const made = body[resource.create.wrapper]
      expect(made.id, resource.type).toEqual(expect.any(String))
      expectConfigured(resource, made, sent)
      known[resource.type] = made
    },
  }
}

/** Refreshes the resource. A missing object, or another value, would be planned again. */
const readingOf = (resource: Resource): Step => ({
  does: `read the ${resource.type}`,
  method: 'GET',
  path: resource.read.path,
  reads(body, known) {
    const found = [body[resource.read.wrapper]].flat()
    const own = found.find(({ id }) => id === known[resource.type].id)
    if (!own) return expect.unreachable(`the ${resource.type} is planned again`)
    expectConfigured(resource, own, resource.config(known))
    expect(own.created_at, resource.type).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  },
})

async function apply(terraform: Player): Promise<void> {
  for (const [at, resources] of stack.entries()) {
    // Data sources of the tenant are read as soon as it exists.
    if (at === 1) await terraform.playTogether(...catalogue)
    await terraform.playTogether(...resources.map(creationOf))
    if (resources.some(({ type }) => type === 'vm')) await terraform.play(untilOn)
  }
}

/** The provider takes a starting VM for a running one. */
const untilOn: Step = {
  does: 'wait for the VM',
  method: 'GET',
  path: ({ vm }) => `/api/v1/vms/${vm.name}`,
  until: ({ vm }) => ['starting', 'running', 'scheduled'].includes(vm.state.toLowerCase()),
}

const plan = (terraform: Player): Promise<void> =>
  terraform.playTogether(...stack.flat().map(readingOf))

async function destroy(terraform: Player): Promise<void> {
  for (const resources of stack.toReversed())
    await terraform.playTogether(
      ...resources.flatMap(({ type, destroy: requestFor }) =>
        requestFor ? [{ does: `destroy the ${type}`, ...requestFor(terraform.known) }] : [],
      ),
    )
}

test('Terraform applies a whole stack in one go, plans nothing, replaces its tenant and destroys all', async () => {
  const terraform = playerOf(world.wire, provider)
  await terraform.play(...configure)
  await apply(terraform)
  await plan(terraform)
  await plan(terraform)
  const { tenant: former } = terraform.known
  await destroy(terraform)
  await apply(terraform)
  expect(terraform.known['tenant'].id).not.toBe(former.id)
  await plan(terraform)
  await destroy(terraform)
  const { tenants } = (await world.root.rest('GET', '/tenants')).body
  expect(tenants.map((each: Json) => each.slug)).not.toContain(slug)
})
