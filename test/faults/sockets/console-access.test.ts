import { request } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ByteStream } from '../../../server/src/engine/kube/streams/streams.ts'
import { ConsolePeer } from '../../support/clients/console-client.ts'
import { type Json } from '../../support/json.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { rfbClient } from '../../support/sandbox/rfb-client.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActs, vmActs } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/* Consoles of guests in the sandbox, through the door that browsers use. */
let world: World
let tenant: WorldTenant
let vms: VmActs
let vm: Json
const password = 'correct-horse'
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActs(tenant.admin)
  vm = await vms.running({ cloudInitPassword: password })
})

const asking = `mutation ($i: CreateVmConsoleTicketInput!) { createVmConsoleTicket(input: $i) { ticket url expiresAt protocol } }`
const ticketFor = async (
  id: string,
  kind = 'serial',
  client: Client = tenant.admin,
): Promise<Json> => (await client.ask(asking, { i: { id, kind } })).createVmConsoleTicket
const visit = async (url: string, protocols?: string[]): Promise<ConsolePeer> => {
  const peer = await ConsolePeer.open(url, protocols)
  onTestFinished(() => peer.leave())
  return peer
}
const at = async (id: string = vm.id): Promise<ConsolePeer> => visit((await ticketFor(id)).url)
const loggedIn = async (): Promise<ConsolePeer> => {
  const peer = await at()
  await peer.prompted()
  await peer.says('ubuntu\r', 'Password: ')
  await peer.says(`${password}\r`, '$ ')
  return peer
}

describe('a serial console', () => {
  test('shows the guest’s prompt, takes what is typed, and is written down in the audit log', async () => {
    const { url, protocol, expiresAt, ticket } = await ticketFor(vm.id)
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(30_000)
    const peer = await visit(url, [protocol])
    expect(peer.socket.protocol).toBe(protocol)
    await peer.prompted()
    expect(peer.text()).toContain(`${vm.name} login: `)
    await peer.says('ubuntu\r', 'Password: ')
    await peer.says(`${password}\r`, '$ ')
    await peer.says('echo hel""lo; exit\r', '\r\nhello\r\n')
    const rows = await world.database.sql(
      `select actor_name, target_name, outcome from audit_event where operation = 'openVmConsole'`,
    )
    expect(rows).toContainEqual({
      actor_name: `${tenant.slug}-admin`,
      target_name: vm.name,
      outcome: 'allowed',
    })
    expect(world.logged.join('')).not.toContain(ticket)
    expect(
      JSON.stringify(await world.database.sql('select * from vm_console_ticket')),
    ).not.toContain(ticket)
  })

  test('takes a big paste whole and in order, while nobody reads what comes of it', async () => {
    const peer = await loggedIn()
    peer.socket.pause()
    const lines = Array.from({ length: 600 }, (_, index) => `echo "<"${index}${'.'.repeat(60)}">"`)
    peer.type(`${lines.join('\r')}\r`)
    peer.type('echo all""done\r')
    await waitFor(() => peer.socket.bufferedAmount === 0)
    peer.socket.resume()
    await waitFor(() => peer.text().includes('\nalldone\r'), {
      timeoutMs: 10_000,
      what: 'the end of the paste',
    })
    const seen = [...peer.text().matchAll(/\n<(\d+)\.{60}>\r/g)].map(([, number]) => Number(number))
    expect(seen).toEqual(lines.map((_, index) => index))
    await peer.says('exit\r', 'login: ')
  })

  test('is one person’s: who comes later has it, and the former one is told so', async () => {
    const former = await at()
    await former.prompted()
    const later = await at()
    expect(await former.closeCode()).toBe(4409)
    expect(former.closed?.reason).toBe('Somebody else opened this console.')
    await later.prompted()
    expect(later.closed).toBeNull()
  })

  test('is taken over through another replica as well, and its ticket is good there', async () => {
    const { url: other } = await anotherReplica(world)
    const former = await at()
    await former.prompted()
    const { ticket } = await ticketFor(vm.id)
    const later = await visit(`${other.replace('http', 'ws')}/ws/console?ticket=${ticket}`)
    await later.prompted()
    expect(await former.closeCode()).toBe(4409)
    expect(later.closed).toBeNull()
  })

  test('closes with the VM, and says that it was stopped', async () => {
    const other = await vms.running()
    const peer = await at(other.id)
    await peer.prompted()
    await vms.ask('stopVm', other.id)
    expect(await peer.closeCode(10_000)).toBe(4410)
    await vms.inState(other.id, 'Stopped')
    expect((await tenant.admin.graphql(asking, { i: { id: other.id, kind: 'serial' } })).code).toBe(
      'wrong_state',
    )
  })

  test('closes when what runs behind it is another, and when its VM is deleted', async () => {
    const other = await vms.running()
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${other.name}/restart`
    const peer = await at(other.id)
    await peer.prompted()
    expect((await world.cluster.call(path, { method: 'PUT' })).status).toBe(202)
    // The row may come to know of it too late to say more than that the line is gone.
    expect([4411, 4412]).toContain(await peer.closeCode(10_000))
    await vms.inState(other.id, 'Running')
    const again = await at(other.id)
    await again.prompted()
    await vms.ask('deleteVm', other.id)
    expect(await again.closeCode(10_000)).toBe(4404)
  })

  test('ends within moments when the right to it is taken away, or the login is over', async () => {
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: unique('sitter'), permissions: ['vms:read', 'vms:console'] },
      })
    ).body
    const [username, secret] = [unique('sitter'), 'long enough to sit']
    const { user } = (
      await tenant.admin.rest('POST', '/users', {
        body: { username, password: secret, role_id: role.id },
      })
    ).body
    const sitter = await world.login(username, secret)
    const mine = await vms.running()
    const peer = await visit((await ticketFor(mine.id, 'serial', sitter)).url)
    await peer.prompted()
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, { body: { permissions: ['vms:read'] } })
    expect(await peer.closeCode()).toBe(4403)
    expect((await sitter.graphql(asking, { i: { id: mine.id, kind: 'serial' } })).code).toBe(
      'forbidden',
    )
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, {
      body: { permissions: ['vms:read', 'vms:console'] },
    })
    const allowed = async (): Promise<boolean> =>
      (await sitter.graphql(asking, { i: { id: mine.id, kind: 'vnc' } })).code === null
    await waitFor(allowed, { timeoutMs: 10_000, what: 'the right to be back' })
    const [again, unused] = [
      await ticketFor(mine.id, 'serial', sitter),
      await ticketFor(mine.id, 'vnc', sitter),
    ]
    const second = await visit(again.url)
    await second.prompted()
    await tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { state: 'disabled' } })
    expect(await second.closeCode()).toBe(4401)
    expect(await (await visit(unused.url)).closeCode()).toBe(4401)
  })
})

test('a screen is opened with a ticket of its own kind, beside the console, and shows a picture', async () => {
  const serial = await at()
  await serial.prompted()
  const { url } = await ticketFor(vm.id, 'vnc')
  const peer = await visit(url, ['binary'])
  const rfb = rfbClient(streamOf(peer))
  expect((await rfb.hello()).width).toBeGreaterThan(100)
  expect(new Set(await rfb.picture()).size).toBeGreaterThan(1)
  expect(serial.closed).toBeNull()
})

describe('a ticket that is not good', () => {
  const answerTo = async (url: string): Promise<unknown> => {
    const peer = await visit(url)
    await peer.closeCode()
    return { ...peer.closed, said: peer.text() }
  }
  const used = async (): Promise<string> => {
    const { url } = await ticketFor(vm.id)
    const peer = await visit(url)
    await peer.prompted()
    peer.leave()
    return url
  }
  const expired = async (): Promise<string> => {
    const { url } = await ticketFor(vm.id)
    await world.database.sql(`update vm_console_ticket set expires_at = now() - interval '1 ms'`)
    return url
  }
  const door = (query: string): string => `${world.url.replace('http', 'ws')}/ws/console${query}`

  test.each<[string, () => Promise<string>]>([
    ['was used', used],
    ['has ended', expired],
    ['is of another kind', async () => `${(await ticketFor(vm.id, 'vnc')).url}&kind=serial`],
    ['is for another VM', async () => `${(await ticketFor(vm.id)).url}&name=another`],
    ['nobody made', () => Promise.resolve(door(`?ticket=${'x'.repeat(43)}`))],
    ['is empty', () => Promise.resolve(door('?ticket='))],
  ])('because it %s is answered like none at all', async (_what, url) => {
    expect(await answerTo(await url())).toEqual(await answerTo(door('')))
  })

  test('is one that many try at once, but for a single one of them', async () => {
    const { url } = await ticketFor(vm.id)
    const peers = await Promise.all(Array.from({ length: 8 }, () => visit(url)))
    await waitFor(() => peers.filter(({ closed }) => closed?.code === 4401).length === 7, {
      what: 'seven refusals',
    })
    const winner = peers.find(({ closed }) => closed === null)
    await winner?.prompted()
    expect(winner?.closed).toBeNull()
  })

  test('cannot be had for another tenant’s VM, nor opened from a foreign page', async () => {
    const rival = await world.tenant()
    expect((await rival.admin.graphql(asking, { i: { id: vm.id, kind: 'serial' } })).code).toBe(
      'not_found',
    )
    expect(
      (await (await tenant.as('viewer')).graphql(asking, { i: { id: vm.id, kind: 'serial' } }))
        .code,
    ).toBe('forbidden')
    const { url } = await ticketFor(vm.id)
    expect(await handshake(url, { origin: 'https://evil.example' })).toBe(403)
    expect(await handshake(url, { origin: world.url })).toBe(101)
  })
})

/** The status that a handshake with these headers ends in. */
function handshake(url: string, headers: Record<string, string>): Promise<number> {
  const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  return new Promise((resolve, reject) => {
    const asked = request(url.replace('ws', 'http'), {
      headers: { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers },
    })
    asked.on('response', (response) => resolve(response.statusCode ?? 0))
    asked.on('upgrade', (response, stream) => {
      stream.destroy()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end()
  })
}

function streamOf(peer: ConsolePeer): ByteStream {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let at = 0; !peer.closed; at += 1) {
      await waitFor(() => peer.chunks.length > at || peer.closed !== null, {
        what: 'more of the screen',
      }).catch(() => undefined)
      const chunk = peer.chunks[at]
      if (!chunk) return
      yield chunk
    }
  }
  return {
    bytes: bytes(),
    closed: new Promise(() => undefined),
    write: (data) => Promise.resolve(peer.socket.send(data)),
    close: () => peer.leave(),
  }
}
