import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { networkActions } from '../../support/actions/network-actions.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let actions: NicActions
let otherTenant: WorldTenant
let rival: NicActions
beforeAll(async () => {
  world = await aWorld({
    config: ({ platform: { networking } }) => {
      networking.public = {
        enabled: true,
        bridge: { name: 'br-wan' },
        mode: 'bridge',
        uplink: null,
        cidr: '203.0.113.0/24',
        dns: ['203.0.113.53'],
        ipPool: [
          { first: '203.0.113.10', last: '203.0.113.11' },
          { first: '203.0.113.20', last: '203.0.113.20' },
        ],
      }
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  actions = await NicActions.in({ world, tenant })
  otherTenant = await world.tenant()
  rival = await NicActions.in({ world, tenant: otherTenant })
})

const shown =
  '{ publicNetwork { id name cidr gateway dns capacity free attachmentNamespace attachmentName } }'

describe('the public network', () => {
  test('the public network matches the configuration and has an attachment of the platform', async () => {
    const { publicNetwork } = await tenant.admin.ask(shown)
    expect(publicNetwork).toMatchObject({
      id: '00000000-0000-4000-8000-000000000001',
      name: 'public',
      cidr: '203.0.113.0/24',
      gateway: '203.0.113.1',
      dns: ['203.0.113.53'],
      capacity: 3,
      free: 3,
    })
    const { attachment } = networkActions(() => ({ world, tenant }))
    await waitFor(async () => (await attachment(publicNetwork)).metadata.uid !== undefined, {
      timeoutMs: 15_000,
      what: 'the attachment',
    })
    expect(JSON.parse((await attachment(publicNetwork)).spec.config)).toEqual({
      cniVersion: '0.3.1',
      name: publicNetwork.attachmentName,
      type: 'bridge',
      bridge: 'br-wan',
      mtu: 1500,
      macspoofchk: true,
      disableContainerInterface: true,
      ipam: {},
    })
  })

  test('a VM gets an address of the public pool and uses it as default route', async () => {
    const { publicNetwork } = await tenant.admin.ask(shown)
    const vm = await actions.running({ publicIp: true })
    const [, nic] = vm.nics
    expect(vm.nics).toMatchObject([
      { name: 'nic0', kind: 'pod', isPrimary: false },
      {
        name: 'nic1',
        kind: 'public',
        isPrimary: true,
        networkId: publicNetwork.id,
        networkName: 'public',
        network: null,
      },
    ])
    expect((await actions.vmSpec(vm)).networks[1]).toEqual({
      name: 'nic1',
      multus: {
        networkName: `${publicNetwork.attachmentNamespace}/${publicNetwork.attachmentName}`,
      },
    })
    expect((await actions.networkData(vm)).ethernets.nic1).toEqual({
      match: { macaddress: nic.mac },
      addresses: [`${nic.address}/24`],
      routes: [{ to: '0.0.0.0/0', via: '203.0.113.1' }],
      nameservers: { addresses: ['203.0.113.53'] },
    })
    expect(await actions.connected(vm.id, 'nic1')).toMatchObject({
      state: 'connected',
      seenAddress: nic.address,
    })
    expect((await tenant.admin.ask(shown)).publicNetwork.free).toBe(2)
    await actions.removed(vm.id)
    await world.database.sql(`update nic set free_at = now() where free_at is not null`)
  })

  test('the public network is listed last over REST, and is chosen by `public_ip` or by its id', async () => {
    const { networks } = (await tenant.admin.rest('GET', '/networks')).body
    const shared = networks.at(-1)
    expect(shared).toMatchObject({
      network_type: 'shared',
      name: 'public',
      cidr: '203.0.113.0/24',
      gateway: '203.0.113.1',
      state: 'active',
    })
    expect(networks.filter(({ network_type: type }: Json) => type === 'shared')).toHaveLength(1)
    const { vm_templates: templates } = (
      await tenant.admin.rest('GET', '/vm-templates?filter=cirros')
    ).body
    for (const [name, choice] of Object.entries({
      flag: { public_ip: true },
      id: { network_ids: [shared.id] },
    })) {
      const made = await tenant.admin.rest('POST', '/vms', {
        body: { name, template_id: templates[0].id, ...choice },
      })
      expect([made.status, made.body.vm.nics[1]]).toMatchObject([
        201,
        {
          type: 'multus',
          network_id: shared.id,
          nad_name: shared.nad_name,
          ip: expect.stringMatching(/^203\.0\.113\./),
        },
      ])
      await tenant.admin.rest('POST', '/vms/delete', { body: { name } })
      await world.database.sql(`update nic set free_at = now() where free_at is not null`)
    }
  })

  test('a tenant gets as many public addresses as its quota allows, and reuses released ones', async () => {
    const update = `mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { quota { resource limit used } } } }`
    const limited = async (publicAddresses: number | null): Promise<Json> => {
      const { quota } = (await world.root.ask(update, { i: { id: tenant.id, publicAddresses } }))
        .updateTenantQuota.tenant
      return quota.find(({ resource }: Json) => resource === 'publicAddresses')
    }
    expect(await limited(1)).toEqual({ resource: 'publicAddresses', limit: 1, used: 0 })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => actions.ask({ publicIp: true })),
    )
    expect(answers.map(({ code }) => code).sort()).toEqual(
      [null, 'quota_exceeded', 'quota_exceeded', 'quota_exceeded'].sort(),
    )
    expect(answers.find(({ code }) => code !== null)?.text).toContain(
      'public addresses (limit 1, used 1, and this request would add 1)',
    )
    const plain = await actions.running({ publicIp: false })
    const { publicNetwork } = await tenant.admin.ask(shown)
    expect(await actions.rewire('attachNetwork', plain.id, publicNetwork.id)).toBe('quota_exceeded')
    expect(await limited(1)).toMatchObject({ used: 1 })
    await actions.removed(answers.find(({ code }) => code === null)?.data.createVm.vm.id)
    expect(await limited(1)).toMatchObject({ used: 0 })
    const next = await actions.deployed({ publicIp: true })
    await actions.removed(next.id)
    await limited(null)
    await world.database.sql(`update nic set free_at = now() where free_at is not null`)
  })

  test('each public address is allocated once when two tenants race for the pool', async () => {
    const askers = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? actions : rival))
    const answers = await Promise.all(askers.map((each) => each.ask({ publicIp: true })))
    const allocated = answers.flatMap(({ code, data }): string[] =>
      code === null ? [data.createVm.vm.nics[1].address] : [],
    )
    expect(allocated.toSorted()).toEqual(['203.0.113.10', '203.0.113.11', '203.0.113.20'])
    expect(new Set(answers.map(({ code }: Json) => code))).toEqual(
      new Set([null, 'addresses_exhausted']),
    )
    expect((await tenant.admin.ask(shown)).publicNetwork.free).toBe(0)
  })

  test('every rule is reported as not enforced on the public network', async () => {
    const security =
      '{ vms(first: 50) { nodes { security { rules { enforcement { nic enforced reason } } } } } }'
    // The previous test decides by a race which tenant has VMs in the public network.
    const answers = await Promise.all([tenant, otherTenant].map(({ admin }) => admin.ask(security)))
    const rules = answers.flatMap(({ vms }) => vms.nodes).flatMap((vm: Json) => vm.security.rules)
    const onPublic = rules
      .flatMap(({ enforcement }: Json) => enforcement)
      .filter(({ nic }: Json) => nic === 'nic1')
    expect(onPublic.length).toBeGreaterThan(0)
    for (const each of onPublic)
      expect(each).toMatchObject({
        enforced: false,
        reason: expect.stringContaining('public address'),
      })
  })
})
