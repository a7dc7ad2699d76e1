import { request } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cursorFromPosition } from '../../../server/src/engine/model/cursor.ts'
import { type EventClient, listenTo } from '../../support/clients/event-client.ts'
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
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  rival = await world.tenant('rival')
  templateId = (await tenant.admin.rest('GET', '/vm-templates?filter=cirros')).body.vm_templates[0]
    .id
})

const leftAtEnd = (peer: EventClient): EventClient => {
  onTestFinished(() => peer.leave())
  return peer
}
const bearer = ({ token }: Client): Record<string, string> => ({ authorization: `Bearer ${token}` })
const ticketOf = async (client: Client = tenant.admin): Promise<string> =>
  (await client.rest('POST', '/events-ticket')).body.ticket
const atSocket = async (
  query: string,
  headers: Record<string, string> = {},
): Promise<EventClient> => leftAtEnd(await listenTo.socket(world.url, query, { headers }))
const atStream = async (
  client: Client = tenant.admin,
  headers: Record<string, string> = {},
): Promise<EventClient> =>
  leftAtEnd(await listenTo.stream(world.url, { ...bearer(client), ...headers }))
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

describe('event socket', () => {
  test('the event socket sends the life of a VM as REST shows it, and its name on deletion', async () => {
    const peer = await atSocket(`?ticket=${await ticketOf()}`)
    const { name } = await aVm()
    const made = await peer.received('vm.created', isOf('vm.created', name))
    const { vm } = (await tenant.admin.rest('GET', `/vms/${name}`)).body
    expect(Object.keys(vm)).toEqual(expect.arrayContaining(Object.keys(made.payload)))
    const updated = await peer.received(
      'vm.updated',
      (event) => isOf('vm.updated', name)(event) && event.payload.state === 'Running',
    )
    expect(updated.payload).toMatchObject({
      id: vm.id,
      tenant_id: tenant.id,
      power_state: 'Running',
    })
    await tenant.admin.rest('POST', '/vms/delete', { body: { name } })
    expect((await peer.received('vm.deleted', isOf('vm.deleted', name))).payload).toEqual({
      tenant_id: tenant.id,
      name,
    })
  })

  test('the event socket opens with a one-time ticket or a credential header only', async () => {
    const ticket = await ticketOf()
    expect((await atSocket(`?ticket=${ticket}`)).over()).toBe(null)
    for (const query of [`?ticket=${ticket}`, '?ticket=nonsense', '?ticket=', ''])
      expect([query, (await atSocket(query)).over()]).toEqual([query, 401])
    expect((await atSocket('', bearer(tenant.admin))).over()).toBe(null)
    expect((await atSocket('', { authorization: 'Bearer nonsense' })).over()).toBe(401)
  })

  test('the event socket refuses a bad cursor and a token in the URL with 400 and the sentence of the error', async () => {
    const headers = bearer(tenant.admin)
    const refused = (query: string) => listenTo.refusedSocket(world.url, query, { headers })
    expect(await refused('?after=nonsense')).toEqual({
      status: 400,
      text: expect.stringContaining('This is not a cursor of an event or change'),
    })
    expect(await refused(`?token=${tenant.admin.token}`)).toEqual({
      status: 400,
      text: expect.stringContaining('must not be in the URL'),
    })
  })

  test('the event socket sends events of one tenant, and root may choose another tenant or all', async () => {
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
      own.received('its own', isOf('vm.created', vm.name)),
      theirs.received('theirs', isOf('vm.created', other.name)),
      all.received('one', isOf('vm.created', vm.name)),
      all.received('the other', isOf('vm.created', other.name)),
    ])
    const tenantsOf = (peer: EventClient): string[] => [
      ...new Set(peer.events.map(({ payload }) => payload.tenant_id)),
    ]
    expect([tenantsOf(own), tenantsOf(theirs)]).toEqual([[tenant.id], [rival.id]])
  })

  test('the event socket takes a ticket with the id or the slug of its tenant', async () => {
    for (const named of [tenant.id, tenant.id.toUpperCase(), tenant.slug])
      expect([
        named,
        (await atSocket(`?ticket=${await ticketOf()}&tenant_id=${named}`)).over(),
      ]).toEqual([named, null])
    for (const other of [rival.slug, 'nonsense'])
      expect([
        other,
        (await atSocket(`?ticket=${await ticketOf()}&tenant_id=${other}`)).over(),
      ]).toEqual([other, 403])
  })

  test('the event socket sends no VM events to users who may not read VMs', async () => {
    const { secret } = (
      await tenant.admin.rest('POST', '/api-keys', {
        body: { name: 'ci', scopes: ['security_groups:read'] },
      })
    ).body
    const peer = await atSocket('', { 'x-api-key': secret })
    await make.vm({ world, tenant })
    const group = await make.securityGroup({ world, tenant })
    const changed = await peer.received('the group', (event) => event.payload.id === group.id)
    expect(changed).toEqual({
      type: 'security_group.changed',
      payload: { id: group.id, tenant_id: tenant.id, version: 1 },
    })
    expect(peer.events.filter(({ type }) => type.startsWith('vm.'))).toEqual([])
  })

  test('the event socket closes when its credential is revoked', async () => {
    const { secret, api_key: key } = (
      await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci' } })
    ).body
    const peers = [
      await atSocket('', { 'x-api-key': secret }),
      await atSocket(`?ticket=${await ticketOf(world.wire.client(secret))}`),
    ]
    await tenant.admin.rest('DELETE', `/api-keys/${key.id}`)
    await waitFor(() => peers.every((peer) => peer.over() === 4401), {
      timeoutMs: 15_000,
      what: 'both sockets to be closed',
    })
  })

  test('the event socket accepts a token in the URL when the operator enables it', async () => {
    const old = await aWorld({
      worker: false,
      config: (config) => (config.compat.socketTokenInUrl = true),
    })
    const peer = leftAtEnd(await listenTo.socket(old.url, `?token=${old.root.token}`))
    expect(peer.over()).toBe(null)
    expect(leftAtEnd(await listenTo.socket(old.url, '?token=nonsense')).over()).toBe(401)
    expect(leftAtEnd(await listenTo.socket(old.url, '')).over()).toBe(401)
  })
})

describe('server-sent events', () => {
  test('server-sent events resume after the last event id without a loss', async () => {
    const first = await atStream()
    const group = await make.securityGroup({ world, tenant })
    await first.received('the first', ({ payload }) => payload.id === group.id)
    first.leave()
    const missed = await make.securityGroup({ world, tenant })
    const second = await atStream(tenant.admin, { 'last-event-id': first.lastId() })
    await second.received('the missed event', ({ payload }) => payload.id === missed.id)
    expect(second.events.filter(({ payload }) => payload.id === group.id)).toEqual([])
    const later = await make.securityGroup({ world, tenant })
    await second.received('the new event', ({ payload }) => payload.id === later.id)
  })

  test('server-sent events send a gap when the missed events are gone, and refuse an invalid id', async () => {
    const ahead = cursorFromPosition({ xid: 2n ** 60n, id: 0n })
    const peer = await atStream(tenant.admin, { 'last-event-id': ahead })
    expect(await peer.received('the gap', ({ type }) => type === 'gap')).toEqual({
      type: 'gap',
      payload: {},
    })
    expect((await atStream(tenant.admin, { 'last-event-id': 'nonsense' })).over()).toBe(400)
    expect((await atStream(world.anonymous)).over()).toBe(401)
  })

  test('server-sent events are limited per user, and closing one stream frees its slot', async () => {
    const user = await tenant.as('viewer')
    const peers: EventClient[] = []
    for (let count = 0; count < 10; count++) peers.push(await atStream(user))
    expect(peers.map((peer) => peer.over())).toEqual(Array.from({ length: 10 }, () => null))
    expect((await atStream(user)).over()).toBe(429)
    peers[0]?.leave()
    await waitFor(async () => (await atStream(user)).over() === null, { what: 'a free slot' })
  })
})

describe('log of a VM', () => {
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

  test('the log of a VM with follow=1 continues over a restart until the VM is deleted', async () => {
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

  test('the log of a VM ends without follow=1, and a missing VM or a bad tail is refused', async () => {
    const { name } = await aVm()
    for (const query of ['', '?follow=true', '?follow=0']) {
      const log = followed(name, query)
      await waitFor(() => log.isOver(), { what: 'the log to end' })
    }
    expect((await tenant.admin.rest('GET', '/vms/absent/logs?follow=1')).status).toBe(404)
    expect(
      (await tenant.admin.rest('GET', `/vms/${name}/logs?follow=1&tail=0`)).body.fields[0].path,
    ).toBe('tail')
  })
})
