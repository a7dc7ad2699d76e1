import { request } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cursorFromPosition } from '../../../server/src/engine/model/cursor.ts'
import { type EventPeer, listenTo } from '../../support/clients/event-client.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
let rival: WorldTenant
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  rival = await world.tenant('rival')
  templateId = (await tenant.admin.rest('GET', '/vm-templates?filter=cirros')).body.vm_templates[0]
    .id
})

const staying = (peer: EventPeer): EventPeer => {
  onTestFinished(() => peer.leave())
  return peer
}
const bearer = ({ token }: Client): Record<string, string> => ({ authorization: `Bearer ${token}` })
const ticketOf = async (client: Client = tenant.admin): Promise<string> =>
  (await client.rest('POST', '/events-ticket')).body.ticket
const atSocket = async (query: string, headers: Record<string, string> = {}): Promise<EventPeer> =>
  staying(await listenTo.socket(world.url, query, { headers }))
const atStream = async (
  client: Client = tenant.admin,
  headers: Record<string, string> = {},
): Promise<EventPeer> =>
  staying(await listenTo.stream(world.url, { ...bearer(client), ...headers }))
const aVm = async (client: Client = tenant.admin): Promise<Json> =>
  (
    await client.rest('POST', '/vms', {
      body: { name: unique('vm'), template_id: templateId },
      headers: { prefer: 'wait=20' },
    })
  ).body.vm
const isOf =
  (type: string, name: string) =>
  (event: Json): boolean =>
    event.type === type && event.payload.name === name

describe('the socket', () => {
  test('tells the life of a VM with the VM as REST shows it, and its end with its name', async () => {
    const peer = await atSocket(`?ticket=${await ticketOf()}`)
    const { name } = await aVm()
    const made = await peer.heard('vm.created', isOf('vm.created', name))
    const { vm } = (await tenant.admin.rest('GET', `/vms/${name}`)).body
    expect(Object.keys(vm)).toEqual(expect.arrayContaining(Object.keys(made.payload)))
    const seen = await peer.heard(
      'vm.updated',
      (event) => isOf('vm.updated', name)(event) && event.payload.state === 'Running',
    )
    expect(seen.payload).toMatchObject({ id: vm.id, tenant_id: tenant.id, power_state: 'Running' })
    await tenant.admin.rest('POST', '/vms/delete', { body: { name } })
    expect((await peer.heard('vm.deleted', isOf('vm.deleted', name))).payload).toEqual({
      tenant_id: tenant.id,
      name,
    })
  })

  test('is opened by a ticket once, or by a credential in a header, and by nothing else', async () => {
    const ticket = await ticketOf()
    expect((await atSocket(`?ticket=${ticket}`)).over()).toBe(null)
    for (const query of [
      `?ticket=${ticket}`,
      '?ticket=nonsense',
      '?ticket=',
      '',
      `?token=${tenant.admin.token}`,
    ])
      expect([query, (await atSocket(query)).over()]).toEqual([query, 401])
    expect((await atSocket('', bearer(tenant.admin))).over()).toBe(null)
    expect((await atSocket('', { authorization: 'Bearer nonsense' })).over()).toBe(401)
  })

  test('tells of one tenant; of another only to root, and of all only to root that asks for it', async () => {
    expect((await atSocket(`?tenant_id=${rival.id}`, bearer(tenant.admin))).over()).toBe(403)
    expect((await atSocket(`?ticket=${await ticketOf()}&tenant_id=${rival.id}`)).over()).toBe(403)
    expect((await atSocket('?all_tenants=true', bearer(tenant.admin))).over()).toBe(403)
    const [own, theirs] = [
      await atSocket('', bearer(tenant.admin)),
      await atSocket(`?tenant_id=${rival.id}`, bearer(world.root)),
    ]
    const all = await atSocket('?all_tenants=true', bearer(world.root))
    const [vm, other] = [await make.vm({ world, tenant }), await make.vm({ world, tenant: rival })]
    await Promise.all([
      own.heard('its own', isOf('vm.created', vm.name)),
      theirs.heard('theirs', isOf('vm.created', other.name)),
      all.heard('one', isOf('vm.created', vm.name)),
      all.heard('the other', isOf('vm.created', other.name)),
    ])
    const tenantsTold = (peer: EventPeer): string[] => [
      ...new Set(peer.events.map(({ payload }) => payload.tenant_id)),
    ]
    expect([tenantsTold(own), tenantsTold(theirs)]).toEqual([[tenant.id], [rival.id]])
  })

  test('tells those who may not read VMs nothing of them', async () => {
    const { secret } = (
      await tenant.admin.rest('POST', '/api-keys', { body: { scopes: ['security_groups:read'] } })
    ).body
    const peer = await atSocket('', { 'x-api-key': secret })
    await make.vm({ world, tenant })
    const group = await make.securityGroup({ world, tenant })
    const told = await peer.heard('the group', (event) => event.payload.id === group.id)
    expect(told).toEqual({
      type: 'security_group.changed',
      payload: { id: group.id, tenant_id: tenant.id, version: 1 },
    })
    expect(peer.events.filter(({ type }) => type.startsWith('vm.'))).toEqual([])
  })

  test('closes when the credential is revoked', async () => {
    const { secret, api_key: key } = (await tenant.admin.rest('POST', '/api-keys', { body: {} }))
      .body
    const peers = [
      await atSocket('', { 'x-api-key': secret }),
      await atSocket(`?ticket=${await ticketOf(world.wire.client(secret))}`),
    ]
    await tenant.admin.rest('DELETE', `/api-keys/${key.id}`)
    await waitFor(() => peers.every((peer) => peer.over() === 4401), {
      timeoutMs: 15_000,
      what: 'both to be closed',
    })
  })

  test('takes a token in the address where the operator has switched that on', async () => {
    const old = await aWorld({
      worker: false,
      config: (config) => (config.compat.socketTokenInUrl = true),
    })
    const peer = staying(await listenTo.socket(old.url, `?token=${old.root.token}`))
    expect(peer.over()).toBe(null)
    expect(staying(await listenTo.socket(old.url, '?token=nonsense')).over()).toBe(401)
    expect(staying(await listenTo.socket(old.url, '')).over()).toBe(401)
  })
})

describe('server-sent events', () => {
  test('go on where a listener stopped, with nothing in between lost', async () => {
    const first = await atStream()
    const group = await make.securityGroup({ world, tenant })
    await first.heard('the first', ({ payload }) => payload.id === group.id)
    first.leave()
    const missed = await make.securityGroup({ world, tenant })
    const second = await atStream(tenant.admin, { 'last-event-id': first.lastId() })
    await second.heard('what was missed', ({ payload }) => payload.id === missed.id)
    expect(second.events.filter(({ payload }) => payload.id === group.id)).toEqual([])
    const later = await make.securityGroup({ world, tenant })
    await second.heard('what comes', ({ payload }) => payload.id === later.id)
  })

  test('say so when what was missed is no longer known, and refuse an id that is none', async () => {
    const ahead = cursorFromPosition({ xid: 2n ** 60n, id: 0n })
    const peer = await atStream(tenant.admin, { 'last-event-id': ahead })
    expect(await peer.heard('the gap', ({ type }) => type === 'gap')).toEqual({
      type: 'gap',
      payload: {},
    })
    expect((await atStream(tenant.admin, { 'last-event-id': 'nonsense' })).over()).toBe(400)
    expect((await atStream(world.anonymous)).over()).toBe(401)
  })

  test('are bounded for one user, and a place is free again when a listener leaves', async () => {
    const user = await tenant.as('viewer')
    const peers: EventPeer[] = []
    for (let count = 0; count < 10; count++) peers.push(await atStream(user))
    expect(peers.map((peer) => peer.over())).toEqual(Array.from({ length: 10 }, () => null))
    expect((await atStream(user)).over()).toBe(429)
    peers[0]?.leave()
    await waitFor(async () => (await atStream(user)).over() === null, { what: 'a free place' })
  })
})

describe('the log of a VM', () => {
  const followed = (name: string, query: string): { text: () => string; isOver: () => boolean } => {
    let text = ''
    let isOver = false
    const sent = request(
      `${world.url}/api/v1/vms/${name}/logs${query}`,
      { headers: bearer(tenant.admin), agent: false },
      (response) => {
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('close', () => (isOver = true))
      },
    )
    sent.on('error', () => undefined)
    sent.end()
    onTestFinished(() => void sent.destroy())
    return { text: () => text, isOver: () => isOver }
  }

  test('is told on with follow=1, over a new start, until the VM is gone', async () => {
    const { name } = await aVm()
    const log = followed(name, '?follow=1')
    await waitFor(() => log.text().includes('\n'), {
      timeoutMs: 15_000,
      what: 'the guest to write',
    })
    await tenant.admin.rest('POST', '/vms/stop', { body: { name }, headers: { prefer: 'wait=20' } })
    const before = log.text().length
    await tenant.admin.rest('POST', '/vms/start', {
      body: { name },
      headers: { prefer: 'wait=20' },
    })
    await waitFor(() => log.text().length > before, {
      timeoutMs: 15_000,
      what: 'the next boot to write',
    })
    expect(log.isOver()).toBe(false)
    await tenant.admin.rest('POST', '/vms/delete', { body: { name } })
    await waitFor(() => log.isOver(), { timeoutMs: 15_000, what: 'the log to end' })
  })

  test('ends by itself with any other follow, and is refused for what is not there', async () => {
    const { name } = await aVm()
    for (const query of ['', '?follow=true', '?follow=0']) {
      const log = followed(name, query)
      await waitFor(() => log.isOver(), { what: 'the log to end' })
    }
    expect((await tenant.admin.rest('GET', '/vms/nobody/logs?follow=1')).status).toBe(404)
    expect(
      (await tenant.admin.rest('GET', `/vms/${name}/logs?follow=1&tail=0`)).body.fields[0].path,
    ).toBe('tail')
  })
})
