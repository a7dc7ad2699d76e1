import { request } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ByteStream } from '../../../server/src/engine/kube/streams/streams.ts'
import { ConsoleClient } from '../../support/clients/console-client.ts'
import { type Json } from '../../support/json.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { rfbClient } from '../../support/sandbox/rfb-client.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/*
 * Consoles of guests in the sandbox, through the WebSocket that browsers use.
 */
let world: World
let tenant: WorldTenant
let vms: VmActions
let vm: Json
const password = 'correct-horse'
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  vm = await vms.running({ cloudInitPassword: password })
})

const createTicket = `mutation ($i: CreateVmConsoleTicketInput!) { createVmConsoleTicket(input: $i) { ticket url expiresAt protocol } }`
const ticketFor = async (
  id: string,
  kind = 'serial',
  client: Client = tenant.admin,
): Promise<Json> => (await client.ask(createTicket, { i: { id, kind } })).createVmConsoleTicket
const openConsole = async (url: string, protocols?: string[]): Promise<ConsoleClient> => {
  const peer = await ConsoleClient.open(url, protocols)
  onTestFinished(() => peer.leave())
  return peer
}
const consoleOf = async (id: string = vm.id): Promise<ConsoleClient> =>
  openConsole((await ticketFor(id)).url)
const loggedIn = async (): Promise<ConsoleClient> => {
  const peer = await consoleOf()
  await peer.waitForPrompt()
  await peer.typeAndExpect('ubuntu\r', 'Password: ')
  await peer.typeAndExpect(`${password}\r`, '$ ')
  return peer
}

describe('a serial console', () => {
  test('a serial console shows the prompt of the guest, forwards input and is recorded in the audit log', async () => {
    const { url, protocol, expiresAt, ticket } = await ticketFor(vm.id)
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(30_000)
    const peer = await openConsole(url, [protocol])
    expect(peer.socket.protocol).toBe(protocol)
    await peer.waitForPrompt()
    expect(peer.text()).toContain(`${vm.name} login: `)
    await peer.typeAndExpect('ubuntu\r', 'Password: ')
    await peer.typeAndExpect(`${password}\r`, '$ ')
    await peer.typeAndExpect('echo hel""lo; exit\r', '\r\nhello\r\n')
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

  test('a serial console delivers a big paste completely and in order while its output is not read', async () => {
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
    const echoed = [...peer.text().matchAll(/\n<(\d+)\.{60}>\r/g)].map(([, number]) =>
      Number(number),
    )
    expect(echoed).toEqual(lines.map((_, index) => index))
    await peer.typeAndExpect('exit\r', 'login: ')
  })

  test('a serial console is taken over by a later client, and the former one is notified', async () => {
    const former = await consoleOf()
    await former.waitForPrompt()
    const later = await consoleOf()
    expect(await former.closeCode()).toBe(4409)
    expect(former.closed?.reason).toBe('Another session opened this console.')
    await later.waitForPrompt()
    expect(later.closed).toBeNull()
  })

  test('a serial console is taken over through another replica, and its ticket is valid there', async () => {
    const { url: other } = await anotherReplica(world)
    const former = await consoleOf()
    await former.waitForPrompt()
    const { ticket } = await ticketFor(vm.id)
    const later = await openConsole(`${other.replace('http', 'ws')}/ws/console?ticket=${ticket}`)
    await later.waitForPrompt()
    expect(await former.closeCode()).toBe(4409)
    expect(later.closed).toBeNull()
  })

  test('a serial console closes when its VM is stopped, and reports that', async () => {
    const other = await vms.running()
    const peer = await consoleOf(other.id)
    await peer.waitForPrompt()
    await vms.ask('stopVm', other.id)
    expect(await peer.closeCode(10_000)).toBe(4410)
    await vms.inState(other.id, 'Stopped')
    expect(
      (await tenant.admin.graphql(createTicket, { i: { id: other.id, kind: 'serial' } })).code,
    ).toBe('wrong_state')
  })

  test('a serial console closes when the VMI is replaced, and when the VM is deleted', async () => {
    const other = await vms.running()
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${other.name}/restart`
    const peer = await consoleOf(other.id)
    await peer.waitForPrompt()
    expect((await world.cluster.call(path, { method: 'PUT' })).status).toBe(202)
    // The row may be updated too late to report more than a lost connection.
    expect([4411, 4412]).toContain(await peer.closeCode(10_000))
    await vms.inState(other.id, 'Running')
    const again = await consoleOf(other.id)
    await again.waitForPrompt()
    await vms.ask('deleteVm', other.id)
    expect(await again.closeCode(10_000)).toBe(4404)
  })

  test('a serial console closes within moments when its permission is revoked or the login ends', async () => {
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
    const operator = await world.login(username, secret)
    const ownVm = await vms.running()
    const peer = await openConsole((await ticketFor(ownVm.id, 'serial', operator)).url)
    await peer.waitForPrompt()
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, { body: { permissions: ['vms:read'] } })
    expect(await peer.closeCode()).toBe(4403)
    // The check of the socket can be ahead of the requests, which follow the change log.
    const refused = async (): Promise<boolean> =>
      (await operator.graphql(createTicket, { i: { id: ownVm.id, kind: 'serial' } })).code ===
      'forbidden'
    await waitFor(refused, { timeoutMs: 5_000, what: 'the refusal of a new ticket' })
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, {
      body: { permissions: ['vms:read', 'vms:console'] },
    })
    const allowed = async (): Promise<boolean> =>
      (await operator.graphql(createTicket, { i: { id: ownVm.id, kind: 'vnc' } })).code === null
    await waitFor(allowed, { timeoutMs: 10_000, what: 'the right to be back' })
    const [again, unused] = [
      await ticketFor(ownVm.id, 'serial', operator),
      await ticketFor(ownVm.id, 'vnc', operator),
    ]
    const second = await openConsole(again.url)
    await second.waitForPrompt()
    await tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { state: 'disabled' } })
    expect(await second.closeCode()).toBe(4401)
    expect(await (await openConsole(unused.url)).closeCode()).toBe(4401)
  })
})

test('a screen opens with a ticket of its own kind beside the console, and shows a picture', async () => {
  const serial = await consoleOf()
  await serial.waitForPrompt()
  const { url } = await ticketFor(vm.id, 'vnc')
  const peer = await openConsole(url, ['binary'])
  const rfb = rfbClient(streamOf(peer))
  expect((await rfb.hello()).width).toBeGreaterThan(100)
  expect(new Set(await rfb.picture()).size).toBeGreaterThan(1)
  expect(serial.closed).toBeNull()
})

describe('an invalid ticket', () => {
  const answerTo = async (url: string): Promise<unknown> => {
    const peer = await openConsole(url)
    await peer.closeCode()
    return { ...peer.closed, text: peer.text() }
  }
  const used = async (): Promise<string> => {
    const { url } = await ticketFor(vm.id)
    const peer = await openConsole(url)
    await peer.waitForPrompt()
    peer.leave()
    return url
  }
  const expired = async (): Promise<string> => {
    const { url } = await ticketFor(vm.id)
    await world.database.sql(`update vm_console_ticket set expires_at = now() - interval '1 ms'`)
    return url
  }
  const consoleUrl = (query: string): string =>
    `${world.url.replace('http', 'ws')}/ws/console${query}`

  test.each<[string, () => Promise<string>]>([
    ['was used', used],
    ['has expired', expired],
    ['is of another kind', async () => `${(await ticketFor(vm.id, 'vnc')).url}&kind=serial`],
    ['is for another VM', async () => `${(await ticketFor(vm.id)).url}&name=another`],
    ['does not exist', () => Promise.resolve(consoleUrl(`?ticket=${'x'.repeat(43)}`))],
    ['is empty', () => Promise.resolve(consoleUrl('?ticket='))],
  ])('a ticket that %s is answered like no ticket', async (_reason, url) => {
    expect(await answerTo(await url())).toEqual(await answerTo(consoleUrl('')))
  })

  test('a ticket that many clients try at the same time admits one of them', async () => {
    const { url } = await ticketFor(vm.id)
    const peers = await Promise.all(Array.from({ length: 8 }, () => openConsole(url)))
    await waitFor(() => peers.filter(({ closed }) => closed?.code === 4401).length === 7, {
      what: 'seven refusals',
    })
    const winner = peers.find(({ closed }) => closed === null)
    await winner?.waitForPrompt()
    expect(winner?.closed).toBeNull()
  })

  test('a ticket is refused for a VM of another tenant and for a foreign page', async () => {
    const rival = await world.tenant()
    expect(
      (await rival.admin.graphql(createTicket, { i: { id: vm.id, kind: 'serial' } })).code,
    ).toBe('not_found')
    expect(
      (
        await (
          await tenant.as('viewer')
        ).graphql(createTicket, { i: { id: vm.id, kind: 'serial' } })
      ).code,
    ).toBe('forbidden')
    const { url } = await ticketFor(vm.id)
    expect(await handshake(url, { origin: 'https://evil.example' })).toBe(403)
    expect(await handshake(url, { origin: world.url })).toBe(101)
  })
})

/** Returns the status with which a handshake with these headers ends. */
function handshake(url: string, headers: Record<string, string>): Promise<number> {
  const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  return new Promise((resolve, reject) => {
    const upgradeRequest = request(url.replace('ws', 'http'), {
      headers: { connection: 'Upgrade', upgrade: 'websocket', ...key, ...headers },
    })
    upgradeRequest.on('response', (response) => resolve(response.statusCode ?? 0))
    upgradeRequest.on('upgrade', (response, stream) => {
      stream.destroy()
      resolve(response.statusCode ?? 0)
    })
    upgradeRequest.on('error', reject)
    upgradeRequest.end()
  })
}

function streamOf(peer: ConsoleClient): ByteStream {
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
