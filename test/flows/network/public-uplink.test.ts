import { beforeAll, describe, expect, test } from 'vitest'
import { type Config, type PublicNetworkConfig } from '../../../server/src/runtime/config/config.ts'
import bridgeAsWritten from '../../contract/golden/host-bridge.json' with { type: 'json' }
import { type Json } from '../../support/json.ts'
import { NicActions } from '../../support/actions/nic-actions.ts'
import { type Replica, anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client, Wire } from '../../support/clients/http-client.ts'
import { type World, aWorld, adminPassword, unique } from '../../support/world/world.ts'

/*
 * The bridge of the public network, in a cluster that NMState configures. Its workers start and
 * stop with the configured uplink.
 */
const configured: PublicNetworkConfig = {
  enabled: true,
  bridge: { name: null },
  mode: 'bridge',
  uplink: null,
  cidr: '203.0.113.0/24',
  dns: [],
  ipPool: [{ first: '203.0.113.10', last: '203.0.113.19' }],
}
let world: World
beforeAll(async () => {
  world = await aWorld({
    worker: false,
    config: ({ cluster, platform: { networking } }) => {
      cluster.with = ['nmstate']
      networking.public = configured
    },
  })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
})

const withUplink = (uplink: string | null): Promise<Replica> => {
  const platform: Config['platform'] = {
    ...world.config.platform,
    networking: { public: { ...configured, uplink } },
  }
  return anotherReplica({ ...world, config: { ...world.config, platform } }, { worker: true })
}

const policyPath = '/apis/nmstate.io/v1/nodenetworkconfigurationpolicies/berth-public-network'
const statePath = (host: string): string => `/apis/nmstate.io/v1beta1/nodenetworkstates/${host}`
async function interfacesOf(host: string): Promise<Json[]> {
  const { body }: Json = await world.cluster.call(statePath(host))
  return body.status.currentState.interfaces
}
const change = (host: string, interfaces: readonly Json[]) =>
  world.cluster.call(`${statePath(host)}/status`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status: { currentState: { interfaces } } }),
  })
const portsOf = async (host: string): Promise<Json> =>
  (await interfacesOf(host)).find(({ name }) => name === 'br-public')?.bridge.port

test('a start is refused when the uplink carries the nodes’ own addresses, and nothing is applied', async () => {
  await expect(withUplink('eth0')).rejects.toThrow(
    /platform\.networking\.public\.uplink: eth0 is the interface through which node-0, node-1, node-2 are reached/,
  )
  expect((await world.cluster.call(policyPath)).status).toBe(404)
})

describe('a public network with an uplink', () => {
  let replica: Replica
  let wire: Wire
  let admin: Client
  let actions: NicActions
  beforeAll(async () => {
    replica = await withUplink('eth1')
    wire = new Wire(() => replica.url)
    const tenant = await world.tenant(unique('t'))
    const { body } = await wire.client('').rest('POST', '/auth/login', {
      body: { username: `${tenant.slug}-admin`, password: adminPassword },
    })
    admin = wire.client(body.token)
    actions = await NicActions.in({ world, tenant: { ...tenant, admin } })
    return () => wire.close()
  })

  const shown = async (): Promise<Json> =>
    (await admin.ask('{ publicNetwork { state stateReason } }')).publicNetwork
  const become = (state: string): Promise<void> =>
    waitFor(async () => (await shown()).state === state, {
      timeoutMs: 20_000,
      everyMs: 100,
      what: `the public network to be ${state}`,
    })

  test('the public network becomes active when every node has the bridge over the uplink', async () => {
    await become('active')
    const { body } = await world.cluster.call(policyPath)
    expect({ spec: body.spec }).toEqual(bridgeAsWritten)
    expect(body.metadata.labels).toMatchObject({ 'berth.dev/managed-by': 'berth' })
    for (const host of ['node-0', 'node-1', 'node-2'])
      expect(await portsOf(host)).toEqual([{ name: 'eth1' }])
    expect(await shown()).toEqual({ state: 'active', stateReason: null })
    expect(await actions.refusal({ publicIp: true })).toBeNull()
  })

  test('the public network names the node that lacks the bridge, and refuses VMs until it has it', async () => {
    const interfaces = await interfacesOf('node-1')
    await change(
      'node-1',
      interfaces.filter(({ name }) => name === 'eth0'),
    )
    await become('failed')
    const { stateReason } = await shown()
    expect(stateReason).toContain('could not be created over eth1 on node-1;')
    expect(await actions.refusal({ publicIp: true })).toBe('wrong_state')
    const { networks } = (await admin.rest('GET', '/networks')).body
    expect(networks.at(-1)).toMatchObject({ network_type: 'shared', state: 'failed' })
    await change('node-1', interfaces)
    await become('active')
  })

  test('the policy is deleted when the profile names no uplink, and the bridges keep their ports', async () => {
    await replica.stop()
    const { url } = await withUplink(null)
    replica = { ...replica, url }
    const isGone = async (): Promise<boolean> =>
      (await world.cluster.call(policyPath)).status === 404
    await waitFor(isGone, { timeoutMs: 20_000, everyMs: 100, what: 'the policy to be gone' })
    expect(await portsOf('node-2')).toEqual([{ name: 'eth1' }])
    expect(await shown()).toEqual({ state: 'active', stateReason: null })
  })
})
