import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { networkActions, networkDocuments as ask } from '../../support/actions/network-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type World,
  type WorldTenant,
  aWorld,
  adminPassword,
  unique,
} from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
let rival: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  rival = await world.tenant()
})

const { aVpc, aNetwork, opened, attachment, tagOf } = networkActions(() => ({ world, tenant }))
const plans = async (vpcId: string): Promise<Json> =>
  (await tenant.admin.ask(ask.networkPlan, { v: vpcId })).networkCidrPlan

describe('networks', () => {
  test('a network has a CIDR of its VPC and an attachment of fixed shape in the VPC’s namespace', async () => {
    const { vpc } = await aVpc({ cidr: '10.100.0.0/16' })
    const made = await aNetwork(vpc.id, { name: '","type":"host-device","x":"' })
    expect(made).toMatchObject({
      cidr: '10.100.1.0/24',
      gateway: '10.100.1.1',
      attachmentName: `net-${made.id}`,
      isDefault: false,
    })
    expect(made.refusals).toEqual({ delete: null })
    expect((await world.ended('create_network', made.id)).state).toBe('succeeded')
    const config = JSON.parse((await attachment(made)).spec.config)
    expect(config).toEqual({
      cniVersion: '0.3.1',
      name: `net-${made.id}`,
      type: 'bridge',
      bridge: 'br-berth',
      vlan: expect.any(Number),
      mtu: 1500,
      macspoofchk: true,
      disableContainerInterface: true,
      ipam: {},
    })
  })

  test('a network gets the planned or the requested CIDR, which never overlaps another network', async () => {
    const { vpc } = await aVpc({ cidr: '10.110.0.0/20' })
    expect(await plans(vpc.id)).toMatchObject({
      vpcCidr: '10.110.0.0/20',
      prefix: 24,
      auto: '10.110.1.0/24',
      used: ['10.110.0.0/24'],
    })
    expect((await aNetwork(vpc.id, { cidr: '10.110.4.0/22' })).cidr).toBe('10.110.4.0/22')
    expect((await aNetwork(vpc.id, { prefix: 26 })).cidr).toBe('10.110.8.0/26')
    const refusedWith = async (i: Record<string, unknown>): Promise<string | null> =>
      (
        await tenant.admin.graphql(ask.createNetwork, {
          i: { name: unique('bad'), vpcId: vpc.id, ...i },
        })
      ).code
    expect(await refusedWith({ cidr: '10.110.5.0/24' })).toBe('cidr_overlap')
    expect(await refusedWith({ cidr: '10.111.0.0/24' })).toBe('invalid_input')
    expect(await refusedWith({ cidr: '10.110.9.0/30' })).toBe('invalid_input')
    expect(await refusedWith({ prefix: 19 })).toBe('invalid_input')
    expect(await refusedWith({ prefix: 20 })).toBe('cidr_exhausted')
    expect(await refusedWith({ name: 'Default' })).toBe('already_exists')
    expect(await refusedWith({ vpcId: randomUUID() })).toBe('not_found')
  })

  test('one of 32 overlapping networks is created, and all of 32 that the plan places', async () => {
    const { vpc } = await aVpc({ prefix: 16 })
    const cidr = vpc.cidr.replace('.0.0/16', '.50.0/24')
    const inputs = Array.from({ length: 32 }, () => ({ name: unique('race'), vpcId: vpc.id, cidr }))
    const answers = await Promise.all(
      inputs.map((i) => tenant.admin.graphql(ask.createNetwork, { i })),
    )
    expect(answers.map(({ code }) => code).filter((code) => code !== 'cidr_overlap')).toEqual([
      null,
    ])
    const planned = await Promise.all(
      Array.from({ length: 32 }, () => aNetwork(vpc.id, { prefix: 28 })),
    )
    expect(new Set(planned.map((network) => network.cidr)).size).toBe(32)
    const overlaps = await world.database
      .sql(`select 1 from network a join network b on a.vpc_id = b.vpc_id and a.id < b.id
      where a.gone_at is null and b.gone_at is null and a.cidr && b.cidr`)
    expect(overlaps).toEqual([])
  })

  test('a network shares its segment with no other network of any tenant', async () => {
    const mine = (await aVpc({ cidr: '10.120.0.0/16' })).vpc
    const theirs = (await aVpc({ cidr: '10.120.0.0/16' }, rival.admin)).vpc
    const [one, other, foreign] = [
      await aNetwork(mine.id),
      await aNetwork(mine.id),
      await aNetwork(theirs.id, {}, rival.admin),
    ]
    expect(one.cidr).toBe(foreign.cidr)
    for (const { id } of [one, other, foreign]) await world.ended('create_network', id)
    const tags = await Promise.all([one, other, foreign].map(tagOf))
    expect(new Set(tags).size).toBe(3)
  })

  test('a network gets no VLAN tag that an attachment in the cluster uses, also of other owners', async () => {
    const { vpc, defaultNetwork } = await aVpc()
    const { attachmentNamespace } = await opened('network', defaultNetwork.id)
    const lowest = await tagOf(await opened('network', (await aNetwork(vpc.id)).id))
    const foreign = (vlan: number): Json => ({
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: unique('foreign') },
      spec: { config: JSON.stringify({ plugins: [{ type: 'bridge', bridge: 'br-berth', vlan }] }) },
    })
    const path = `/apis/k8s.cni.cncf.io/v1/namespaces/${attachmentNamespace}/network-attachment-definitions`
    const used = Array.from({ length: 40 }, (_, index) => lowest + 1 + index)
    for (const tag of used)
      expect((await world.cluster.call(path, { method: 'POST', body: foreign(tag) })).status).toBe(
        201,
      )
    const tag = await tagOf(await opened('network', (await aNetwork(vpc.id)).id))
    expect(used).not.toContain(tag)
  })

  test('a network is visible, renamed and deleted in its tenant only, and frees its CIDR', async () => {
    const { vpc } = await aVpc()
    const { id, cidr } = await aNetwork(vpc.id)
    await world.ended('create_network', id)
    const name = unique('renamed')
    expect(
      (await tenant.admin.ask(ask.updateNetwork, { i: { id, name } })).updateNetwork.network,
    ).toMatchObject({ id, name, cidr })
    expect((await rival.admin.ask(ask.network, { id })).network).toBeNull()
    for (const [document, i] of [
      [ask.updateNetwork, { id, name: 'mine' }],
      [ask.deleteNetwork, { id }],
      [ask.createNetwork, { name: 'planted', vpcId: vpc.id }],
    ] as const)
      expect((await rival.admin.graphql(document, { i })).code).toBe('not_found')
    const viewer = await tenant.as('viewer')
    expect((await viewer.graphql(ask.deleteNetwork, { i: { id } })).code).toBe('forbidden')
    const network = (await viewer.ask(ask.network, { id })).network
    expect((await tenant.admin.ask(ask.deleteNetwork, { i: { id } })).deleteNetwork).toMatchObject({
      network: { id, state: 'deleting' },
      operation: { kind: 'delete_network' },
    })
    expect((await world.ended('delete_network', id)).state).toBe('succeeded')
    expect((await attachment(network)).metadata.uid).toBeUndefined()
    expect((await aNetwork(vpc.id, { cidr, name })).cidr).toBe(cidr)
  })

  test('a network with a changed or deleted attachment is repaired', async () => {
    const { defaultNetwork } = await aVpc()
    const network = await opened('network', defaultNetwork.id)
    const { config } = (await attachment(network)).spec
    const path = `/apis/k8s.cni.cncf.io/v1/namespaces/${network.attachmentNamespace}/network-attachment-definitions/${network.attachmentName}`
    const isRight = async (): Promise<boolean> =>
      (await attachment(network)).spec?.config === config
    await world.cluster.call(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { config: '{"type":"host-device"}' } }),
    })
    await waitFor(isRight, { timeoutMs: 15_000, what: 'the attachment to be repaired' })
    await world.cluster.call(path, { method: 'DELETE' })
    await waitFor(isRight, { timeoutMs: 15_000, what: 'the attachment to come back' })
  })

  test('a network and its VPC have rows in the change log and in the audit log', async () => {
    const { vpc } = await aVpc()
    const { id } = await aNetwork(vpc.id)
    await world.ended('create_network', id)
    const changes = `select distinct kind from change_log where object_id in ('${id}', '${vpc.id}') order by 1`
    expect((await world.database.sql(changes)).map(({ kind }) => kind)).toEqual(['network', 'vpc'])
    const audited = `select operation from audit_event where target_id in ('${id}', '${vpc.id}') order by 1`
    expect((await world.database.sql(audited)).map(({ operation }) => operation)).toEqual([
      'createNetwork',
      'createVpc',
    ])
  })
})

test('a network plan is refused for a foreign VPC and for an invalid size', async () => {
  const { vpc } = await aVpc()
  expect((await rival.admin.graphql(ask.networkPlan, { v: vpc.id })).code).toBe('not_found')
  expect((await tenant.admin.graphql(ask.networkPlan, { v: 'nonsense' })).code).toBe('not_found')
  for (const p of [-1, 0, 33, 1e9]) {
    expect((await tenant.admin.graphql(ask.networkPlan, { v: vpc.id, p })).code).toBe(
      'invalid_input',
    )
    expect((await tenant.admin.graphql(ask.vpcPlan, { p })).code).toBe('invalid_input')
  }
  const { suggestions } = (await tenant.admin.ask(ask.vpcPlan)).vpcCidrPlan
  expect(suggestions.find(({ available }: Json) => !available)).toMatchObject({
    cidr: '10.0.0.0/16',
    reason: expect.stringContaining('VPC default'),
  })
})

test('a subscriber observes a network or VPC of its own tenant until it is gone', async () => {
  const { vpc, defaultNetwork } = await aVpc()
  const watching = {
    vpc: 'subscription ($id: ID!) { vpcChanged(id: $id) { id state version } }',
    network: 'subscription ($id: ID!) { networkChanged(id: $id) { id state version } }',
  }
  const [peer, stranger] = [
    await GraphqlSocketClient.login(world.url, { token: tenant.admin.token }),
    await GraphqlSocketClient.login(world.url, { token: rival.admin.token }),
  ]
  const watched = [
    peer.subscribe(watching.vpc, { id: vpc.id }),
    peer.subscribe(watching.network, { id: defaultNetwork.id }),
  ]
  const changesOf = (subscription: string): Json[] =>
    peer
      .of(subscription)
      .flatMap(({ type, payload }) => (type === 'next' ? Object.values<Json>(payload.data) : []))
  const lastOf = (subscription: string): string => changesOf(subscription).at(-1)?.state
  for (const each of watched)
    await waitFor(() => lastOf(each) === 'active', {
      timeoutMs: 10_000,
      what: 'the object to become active',
    })
  await tenant.admin.ask(ask.deleteVpc, { i: { id: vpc.id } })
  for (const each of watched) {
    await waitFor(() => peer.of(each).at(-1)?.type === 'complete', {
      timeoutMs: 10_000,
      what: 'the subscription to end',
    })
    const versions = changesOf(each).map(({ version }) => version as number)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
  const mine = (await tenant.admin.ask(ask.vpc, { name: 'default' })).vpc
  const [answer] = await stranger.next(stranger.subscribe(watching.vpc, { id: mine.id }))
  expect(JSON.stringify(answer?.payload)).toContain('"not_found"')
  peer.leave()
  stranger.leave()
})

test('a tenant opens in a cluster that cannot make networks, and the refusals name the reason', async () => {
  const poor = await aWorld({ config: ({ network }) => void (network.driver = 'ovn-layer2') })
  const made = await poor.root.rest('POST', '/tenants', {
    body: { slug: 'poor', admin_password: adminPassword },
  })
  const { id } = made.body.tenant
  expect((await poor.ended('create_tenant', id)).state).toBe('succeeded')
  const admin = await poor.login('poor-admin', adminPassword)
  const { vpc } = await admin.ask(ask.vpc, { name: 'default' })
  for (const [document, i] of [
    [ask.createVpc, { name: 'one more' }],
    [ask.createNetwork, { name: 'one more', vpcId: vpc.id }],
  ] as const) {
    const refused = await admin.graphql(document, { i })
    expect([refused.code, refused.text]).toEqual([
      'feature_disabled',
      expect.stringContaining('OVN-Kubernetes is not installed'),
    ])
  }
  const networkOf = async (): Promise<Json> =>
    (await admin.ask(ask.networks, { f: { vpcId: vpc.id } })).networks.nodes[0]
  await waitFor(async () => (await networkOf()).state === 'failed', {
    timeoutMs: 10_000,
    what: 'the network to fail with a reason',
  })
  expect((await networkOf()).stateReason).toContain('OVN-Kubernetes is not installed')
})
