import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConsoleClient } from '../../../support/clients/console-client.ts'
import { type EventClient, listenTo } from '../../../support/clients/event-client.ts'
import { type Json } from '../../../support/json.ts'
import { sandboxFaults } from '../../../support/sandbox/faults.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { type World, aWorld, adminPassword, unique } from '../../../support/world/world.ts'
import {
  type ClientHabits,
  type Known,
  type Player,
  type Step,
  namedIn,
  playerOf,
} from './player.ts'

/*
 * The requests of the web UI of VirtFoundry 0.5. It reads its lists again after each event of its
 * socket. It also reads them every 3 s, but only while a VM is on its way to another state.
 */
const browser: ClientHabits = {
  headers: ({ origin, token, tenantId }) => ({
    'content-type': 'application/json',
    accept: '*/*',
    origin,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(tenantId && { 'x-tenant-id': tenantId }),
  }),
  timeoutMs: 60_000,
  // Its badge knows no other state, and shows one as inactive.
  states: { vm: ['running', 'stopped', 'starting', 'stopping', 'error'] },
}

const listed = (does: string, path: string, wrapper: string): Step => ({
  does,
  method: 'GET',
  path: `/api/v1/${path}`,
  reads: (body, known) => {
    expect(body[wrapper], does).toEqual(expect.any(Array))
    known[wrapper] = body[wrapper]
  },
})
const get = (does: string, path: string): Step => ({ does, method: 'GET', path: `/api/v1/${path}` })

const logIn: Step[] = [
  {
    does: 'log in with a stale token in the storage of the browser',
    method: 'POST',
    path: '/api/v1/auth/login',
    body: ({ username }) => ({ username, password: adminPassword }),
    reads({ token, user }, known) {
      expect(user).toMatchObject({ username: known['username'], role: 'tenant_admin' })
      known['token'] = token
      known['tenantId'] = user.tenant_id
    },
  },
  {
    does: 'check the session after a reload',
    method: 'GET',
    path: '/api/v1/auth/me',
    reads: (me, { tenantId }) => expect(me.tenant_id).toBe(tenantId),
  },
]

const dashboard = [get('show the dashboard', 'dashboard/summary'), get('notify', 'notifications')]
const deployDialog = [
  listed('choose networks', 'networks', 'networks'),
  listed('choose a key', 'ssh-keys', 'ssh_keys'),
  listed('choose a volume', 'volumes', 'volumes'),
  listed('choose groups', 'security-groups', 'security_groups'),
  listed('choose a template', 'vm-templates', 'vm_templates'),
  listed('choose an offering', 'service-offerings', 'service_offerings'),
]
const listVms = listed('list the VMs', 'vms', 'vms')

const deploy: Step = {
  does: 'deploy a VM',
  method: 'POST',
  path: '/api/v1/vms',
  body({ vm_templates: templates, service_offerings: offerings, ...known }) {
    const { id, cpu, memory_mi, dedicated_cpu } = namedIn(offerings, 'small')
    return {
      name: (known['name'] = unique('ui')),
      template_id: namedIn(templates, 'ubuntu-2204').id,
      service_offering_id: id,
      cpu,
      memory_mi,
      dedicated_cpu,
    }
  },
  reads({ vm }, known) {
    expect(vm.state).toBe('Starting')
    known['vm'] = vm
  },
}

const isOnItsWay = ({ state }: Json): boolean =>
  ['starting', 'stopping', 'creating'].includes(state.toLowerCase())

/** The list is asked for again as long as one of its VMs is on its way. */
const followList: Step = { ...listVms, until: ({ vms }) => !vms.some(isOnItsWay) }
const followVm: Step = {
  does: 'follow the page of the VM',
  method: 'GET',
  path: ({ vm }) => `/api/v1/vms/${vm.name}`,
  until: ({ vm }) => !isOnItsWay(vm),
  reads: ({ vm }, known) => (known['vm'] = vm),
}
const power = (verb: 'start' | 'stop' | 'delete'): Step => ({
  does: `${verb} the VM`,
  method: 'POST',
  path: `/api/v1/vms/${verb}`,
  body: ({ vm }) => ({ name: vm.name }),
  reads: ({ success }) => expect(success).toBe(true),
})

/** The overview of root shows a warning when this is true. */
const showsRisk = async ({ root }: World): Promise<boolean> =>
  (await root.ask('{ platform { servesVirtfoundry } }')).platform.servesVirtfoundry

const stateIn = ({ vms, vm }: Known): string => namedIn(vms, vm.name).state

async function loggedIn(world: World): Promise<Player> {
  const { slug } = await world.tenant()
  const username = `${slug}-admin`
  const ui = playerOf(world.wire, browser, { origin: world.url, username, token: 'stale' })
  await ui.play(...logIn)
  await ui.playTogether(...dashboard, listVms)
  return ui
}

async function expectLifeFollowed(ui: Player): Promise<void> {
  await ui.playTogether(...deployDialog)
  await ui.play(deploy, followList)
  expect(stateIn(ui.known)).toBe('Running')
  await ui.play(followVm, power('stop'), followVm, followList)
  expect([ui.known['vm'].state, stateIn(ui.known)]).toEqual(['Stopped', 'Stopped'])
  await ui.play(power('start'), followVm, followList)
  expect([ui.known['vm'].state, stateIn(ui.known)]).toEqual(['Running', 'Running'])
}

const eventsAt = async (world: World, query = ''): Promise<EventClient> => {
  const events = await listenTo.socket(world.url, query, { headers: { origin: world.url } })
  onTestFinished(() => events.leave())
  return events
}

/** The address that the UI opens for the screen of a VM. Its noVNC offers no subprotocol. */
async function screenOf(world: World, query: Record<string, string>): Promise<ConsoleClient> {
  const url = `${world.url.replace('http', 'ws')}/ws/console?${new URLSearchParams(query).toString()}`
  const screen = await ConsoleClient.open(url, [], { headers: { origin: world.url } })
  onTestFinished(() => screen.leave())
  return screen
}
const greeting = async (screen: ConsoleClient): Promise<string> => {
  await waitFor(() => screen.text().length >= 12 || screen.closed !== null, {
    timeoutMs: 15_000,
    what: 'the screen to answer',
  })
  return screen.text()
}

describe('without compat.virtfoundry', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  })

  test('the web UI follows a VM by polling, and is refused its sockets', async () => {
    const ui = await loggedIn(world)
    await expectLifeFollowed(ui)
    const { token, tenantId, vm } = ui.known
    expect((await eventsAt(world)).over()).toBe(401)
    const screen = await screenOf(world, { name: vm.name, token, tenant_id: tenantId })
    expect(await screen.closeCode()).toBe(4401)
    expect(screen.text()).toBe('')
    expect(vm.nics.map(({ type }: Json) => type)).toEqual(['pod'])
    expect(await showsRisk(world)).toBe(false)
  })

  test('a later web UI opens the screen and the events with tickets', async () => {
    const ui = await loggedIn(world)
    await ui.playTogether(...deployDialog)
    await ui.play(deploy, followVm)
    const ticketFrom = (does: string, path: string): Step => ({
      does,
      method: 'POST',
      path: `/api/v1/${path}`,
      reads: ({ ticket }, known) => (known['ticket'] = ticket),
    })
    await ui.play(ticketFrom('ask for the screen', `vms/${ui.known['vm'].name}/console-ticket`))
    expect(await greeting(await screenOf(world, { ticket: ui.known['ticket'] }))).toMatch(/^RFB /)
    await ui.play(ticketFrom('ask for events', 'events-ticket'))
    const events = await eventsAt(world, `?ticket=${ui.known['ticket']}`)
    await ui.play(power('stop'))
    const { payload } = await events.received('the VM', ({ type }) => type === 'vm.updated')
    expect(payload.name).toBe(ui.known['vm'].name)
  })
})

describe('with compat.virtfoundry', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld({ config: (config) => (config.compat.virtfoundry = true) })
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  })

  test('the web UI follows a VM after each event of its socket, which reveals no VM', async () => {
    const events = await eventsAt(world)
    const ui = await loggedIn(world)
    await expectLifeFollowed(ui)
    await events.received('a change', ({ type }) => type.startsWith('vm.'))
    // Nothing polls any more: the guest shuts down, and only the event makes the UI ask again.
    await ui.play(listVms)
    const { vm, tenantId } = ui.known
    const before = events.events.length
    await sandboxFaults(world.cluster).inject('guest', {
      namespace: vm.namespace,
      name: vm.name,
      act: 'poweroff',
    })
    await waitFor(
      async () => {
        if (events.events.length === before) return false
        await ui.play(listVms)
        return stateIn(ui.known) === 'Stopped'
      },
      { timeoutMs: 20_000, what: 'the list to follow an event' },
    )
    expect(new Set(events.events.map((event) => JSON.stringify(event)))).toEqual(
      new Set([JSON.stringify({ type: 'vm.updated', payload: {} })]),
    )
    expect(JSON.stringify(events.events)).not.toContain(tenantId)
  })

  test('the web UI opens the screen of a VM with its token in the address', async () => {
    const ui = await loggedIn(world)
    await ui.playTogether(...deployDialog)
    await ui.play(deploy, followVm)
    const { token, tenantId, vm } = ui.known
    const query = { name: vm.name, token, tenant_id: tenantId }
    expect(await greeting(await screenOf(world, query))).toMatch(/^RFB /)
    const opened = await world.database.sql(
      `select operation, actor_name, outcome from audit_event where target_name = '${vm.name}' and operation ilike '%console%' order by operation`,
    )
    expect(opened).toEqual([
      { operation: 'createVmConsoleTicket', actor_name: ui.known['username'], outcome: 'allowed' },
      { operation: 'openVmConsole', actor_name: ui.known['username'], outcome: 'allowed' },
    ])
    expect(world.logged.join('')).not.toContain(token)
  })

  test('a screen is refused to another tenant, an unknown token and a viewer', async () => {
    const ui = await loggedIn(world)
    await ui.playTogether(...deployDialog)
    await ui.play(deploy, followVm)
    const { tenantId, vm } = ui.known
    const rival = await world.tenant()
    const { token: viewer } = await world.login(...(await aViewerOf(ui)))
    const closeCodeOf = async (token: string, tenant: string): Promise<number> =>
      (await screenOf(world, { name: vm.name, token, tenant_id: tenant })).closeCode()
    expect(await closeCodeOf('nonsense', tenantId)).toBe(4401)
    expect(await closeCodeOf(rival.admin.token, tenantId)).toBe(4403)
    expect(await closeCodeOf(rival.admin.token, rival.id)).toBe(4404)
    expect(await closeCodeOf(viewer, tenantId)).toBe(4403)
  })

  test('a VM without a list of networks joins the default network beside the cluster network', async () => {
    const ui = await loggedIn(world)
    await ui.playTogether(...deployDialog)
    await ui.play(deploy, followVm)
    const { vm, networks } = ui.known
    expect(vm.nics.map(({ type, network_id }: Json) => [type, network_id])).toEqual([
      ['pod', undefined],
      ['multus', namedIn(networks, 'default').id],
    ])
    expect(vm.vpc_id).toBe(namedIn(networks, 'default').vpc_id)
    expect(await showsRisk(world)).toBe(true)
  })
})

async function aViewerOf(ui: Player): Promise<[string, string]> {
  const username = unique('viewer')
  await ui.play({
    does: 'create a viewer',
    method: 'POST',
    path: '/api/v1/users',
    body: () => ({ username, password: adminPassword, role_name: 'tenant.viewer' }),
  })
  return [username, adminPassword]
}
