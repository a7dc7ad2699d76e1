import { request } from 'node:http'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ConsoleClient } from '../../support/clients/console-client.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type World,
  type WorldTenant,
  adminPassword,
  aWorld,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vm: Json
let vpc: Json
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant('acme')
  vm = await (await vmActions(tenant.admin)).running()
  vpc = await make.vpc({ world, tenant })
})

interface Login {
  client: Client
  user: Json
  /** The cookie of the session. */
  cookie: string
}

/** Logs in a new user, who may do everything in the tenant. */
async function newLogin(): Promise<Login> {
  const username = unique('user')
  const body = { username, password: adminPassword, role_name: 'tenant.admin' }
  const { user } = (await tenant.admin.rest('POST', '/users', { body })).body
  const session = await world.wire.send('POST', '/auth/session', {
    body: { username, password: adminPassword },
  })
  const [cookie = ''] = [session.headers['set-cookie']].flat()
  return {
    client: world.wire.client(session.body.accessToken),
    user,
    cookie: cookie.split(';')[0] ?? '',
  }
}

/** Changes a VPC and writes to the log of the guest, several times a second. */
async function keepBusy(): Promise<void> {
  const ticket = await tenant.admin.ask(
    'mutation ($i: CreateVmConsoleTicketInput!) { createVmConsoleTicket(input: $i) { url } }',
    { i: { id: vm.id, kind: 'serial' } },
  )
  const guest = await ConsoleClient.open(ticket.createVmConsoleTicket.url)
  const timer = setInterval(() => {
    guest.type('\r')
    void tenant.admin.rest('PATCH', `/vpcs/${vpc.id}`, { body: { name: unique('vpc') } })
  }, 200)
  onTestFinished(() => {
    clearInterval(timer)
    guest.leave()
  })
}

interface OpenStream {
  parts: () => number
  isOver: () => boolean
}

function openStream(path: string, headers: Record<string, string>): OpenStream {
  let parts = 0
  let isOver = false
  const sent = request(`${world.url}/api/v1${path}`, { headers, agent: false }, (response) => {
    response.on('data', () => (parts += 1))
    response.on('error', () => undefined)
    response.on('close', () => (isOver = true))
  })
  sent.on('error', () => undefined)
  sent.end()
  onTestFinished(() => void sent.destroy())
  return { parts: () => parts, isOver: () => isOver }
}

const bearer = ({ client }: Login): Record<string, string> => ({
  authorization: `Bearer ${client.token}`,
})

test.each([
  {
    because: 'the user is deleted',
    revoke: ({ user }: Login) => tenant.admin.rest('DELETE', `/users/${user.id}`),
  },
  {
    because: 'the user is disabled',
    revoke: ({ user }: Login) =>
      tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { state: 'disabled' } }),
  },
  {
    because: 'the user gets a role with fewer permissions',
    revoke: ({ user }: Login) =>
      tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { role_name: 'tenant.viewer' } }),
  },
  {
    because: 'the user logs out',
    revoke: ({ cookie }: Login) =>
      world.wire.send('DELETE', '/auth/session', {
        headers: { cookie, 'x-berth-session': '1' },
      }),
  },
  {
    because: 'a token ends its own login',
    revoke: ({ client }: Login) => client.rest('POST', '/auth/logout'),
  },
  {
    because: 'an administrator ends the login',
    revoke: async ({ user }: Login) => {
      const { sessions } = (await tenant.admin.rest('GET', '/sessions?limit=200')).body
      const { id } = sessions.find((each: Json) => each.user_id === user.id)
      return tenant.admin.rest('DELETE', `/sessions/${id}`)
    },
  },
  {
    because: 'the API key is revoked',
    headersOf: async ({ client }: Login) => {
      const { secret } = (await client.rest('POST', '/api-keys', { body: { name: 'ci' } })).body
      return { 'x-api-key': secret }
    },
    revoke: async ({ client }: Login) => {
      const [key] = (await client.rest('GET', '/api-keys')).body.api_keys
      return client.rest('DELETE', `/api-keys/${key.id}`)
    },
  },
])(
  'events and a followed log end within moments, although both are busy, when $because',
  async ({ headersOf, revoke }) => {
    const login = await newLogin()
    const headers = (await headersOf?.(login)) ?? bearer(login)
    await keepBusy()
    const streams = [
      openStream('/events', headers),
      openStream(`/vms/${vm.name}/logs?follow=1`, headers),
    ]
    await waitFor(() => streams.every(({ parts }) => parts() > 2), {
      what: 'both streams to be busy',
    })
    expect((await revoke(login)).status).toBeLessThan(300)
    // Without a change, credentials are checked only every ten seconds.
    await waitFor(() => streams.every(({ isOver }) => isOver()), {
      timeoutMs: 1_000,
      what: 'both streams to end',
    })
  },
)
