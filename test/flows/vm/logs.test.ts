import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'
import { ConsoleClient } from '../../support/clients/console-client.ts'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Json } from '../../support/json.ts'
import { type SandboxFaults, sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let faults: SandboxFaults
beforeAll(async () => {
  world = await aWorld()
  faults = sandboxFaults(world.cluster)
  await faults.inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const asking = `query ($id: ID!, $tailLines: Int, $boot: Int) {
  vmLog(id: $id, tailLines: $tailLines, boot: $boot) { boot live lines truncated startedAt endedAt reason keptBoots } }`
const logOf = async (id: string, args: Json = {}, client: Client = tenant.admin): Promise<Json> =>
  (await client.ask(asking, { id, ...args })).vmLog
const includes = (log: Json, text: string): boolean =>
  log.lines.some((line: string) => line.includes(text))
const booted = async (id: string): Promise<void> =>
  waitFor(async () => includes(await logOf(id), 'login:'), {
    timeoutMs: 10_000,
    what: 'the guest to boot',
  })
const runningAndBooted = async (): Promise<Json> => {
  const vm = await vms.running()
  await booted(vm.id)
  return vm
}
const stopped = async (id: string): Promise<void> => {
  await vms.ask('stopVm', id)
  await vms.inState(id, 'Stopped')
}
/** Types a name at the guest's login prompt, which the guest repeats. */
const type = async (id: string, text: string): Promise<void> => {
  const ticket =
    'mutation ($id: ID!) { createVmConsoleTicket(input: { id: $id, kind: serial }) { url } }'
  const peer = await ConsoleClient.open(
    (await tenant.admin.ask(ticket, { id })).createVmConsoleTicket.url,
  )
  onTestFinished(() => peer.leave())
  await peer.waitForPrompt()
  await peer.typeAndExpect(`${text}\r`, 'Password: ')
  peer.type('\r')
}

const holding = async (controller: string): Promise<void> => {
  onTestFinished(async () => void (await faults.inject('controllers/release', {})))
  await faults.inject('controllers/hold', { controller })
}

describe('the log of a VM', () => {
  test('the log has as many of the guest’s last lines as requested', async () => {
    const vm = await runningAndBooted()
    const all = await logOf(vm.id, { tailLines: 5_000 })
    expect(all).toMatchObject({
      boot: 0,
      live: true,
      truncated: false,
      reason: null,
      endedAt: null,
      keptBoots: 0,
    })
    expect(includes(all, 'Linux version')).toBe(true)
    expect(all.lines.join('')).not.toMatch(/[\u0000-\u0008\u001b]/)
    expect(Date.parse(all.startedAt)).toBeLessThanOrEqual(Date.now())
    const few = await logOf(vm.id, { tailLines: 3 })
    expect([few.lines, few.truncated]).toEqual([all.lines.slice(-3), true])
    expect((await tenant.admin.graphql(asking, { id: vm.id, tailLines: 0 })).code).toBe(
      'invalid_input',
    )
    expect((await tenant.admin.graphql(asking, { id: vm.id, boot: 1 })).code).toBe('invalid_input')
  })

  test('the log stays readable per boot after a stop, is sealed, and is deleted with the VM', async () => {
    const vm = await runningAndBooted()
    await type(vm.id, 'first-boot')
    await stopped(vm.id)
    await waitFor(async () => includes(await logOf(vm.id), 'first-boot'), {
      what: 'the log to be stored',
    })
    const stored = await logOf(vm.id)
    expect(stored).toMatchObject({ boot: 0, live: false, reason: null, keptBoots: 1 })
    expect([
      includes(stored, 'Linux version'),
      Date.parse(stored.endedAt) >= Date.parse(stored.startedAt),
    ]).toEqual([true, true])
    await vms.ask('startVm', vm.id)
    await vms.inState(vm.id, 'Running')
    await booted(vm.id)
    const [now, before, none] = [
      await logOf(vm.id),
      await logOf(vm.id, { boot: -1 }),
      await logOf(vm.id, { boot: -2 }),
    ]
    expect([
      now.live,
      includes(now, 'first-boot'),
      includes(before, 'first-boot'),
      before.live,
    ]).toEqual([true, false, true, false])
    expect(none).toMatchObject({ lines: [], reason: 'not_kept' })
    const [row] = await world.database.sql(
      `select encode(content, 'escape') as text from vm_boot_log where vm_id = '${vm.id}'`,
    )
    expect(String(row?.['text'])).not.toContain('first-boot')
    expect((await logOf(vm.id, { boot: -1 }, (await world.tenant()).admin)) ?? null).toBeNull()
    await vms.ask('deleteVm', vm.id)
    await world.ended('delete_vm', vm.id)
    expect(
      await world.database.sql(`select 1 as there from vm_boot_log where vm_id = '${vm.id}'`),
    ).toEqual([])
    expect(await logOf(vm.id)).toBeNull()
  })

  test('the log of a VMI that crashes is stored too', async () => {
    const vm = await runningAndBooted()
    const vmiUid = async (): Promise<string> =>
      (
        await world.cluster.call(
          `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachineinstances/${vm.name}`,
        )
      ).body.metadata?.uid
    const storedRows = (): Promise<Json[]> =>
      world.database.sql(`select vmi_uid from vm_boot_log where vm_id = '${vm.id}'`)
    for (const round of [1, 2]) {
      const crashing = await vmiUid()
      await faults.inject('guest', { namespace: tenant.namespace, name: vm.name, act: 'crash' })
      const isNext = async (): Promise<boolean> =>
        (await logOf(vm.id)).live && (await vmiUid()) !== crashing
      await waitFor(isNext, { timeoutMs: 10_000, what: 'the next VMI' })
      await booted(vm.id)
      if (round === 2)
        await waitFor(async () => (await storedRows()).some((row) => row.vmi_uid === crashing), {
          what: 'the log to be stored',
        })
    }
    const before = await logOf(vm.id, { boot: -1 })
    expect([before.live, includes(before, 'Linux version')]).toEqual([false, true])
  })

  test.each([
    ['stopped', null],
    ['not_supported', { do: 'answer', status: 400 }],
    ['unavailable', { do: 'drop', when: 'before' }],
  ] as const)('the log reports the reason `%s` when it has no lines', async (reason, fault) => {
    const vm = await vms.create({ start: fault !== null })
    await vms.inState(vm.id, fault === null ? 'Stopped' : 'Running')
    if (fault)
      await faults.inject('requests', {
        method: 'GET',
        path: `/api/v1/namespaces/${tenant.namespace}/pods/*/log`,
        fault,
      })
    expect(await logOf(vm.id)).toMatchObject({ lines: [], live: false, reason })
  })

  test('the log reports the reason `starting` before the VM runs', async () => {
    await holding('virtualmachine-controller')
    const vm = await vms.create()
    expect(await logOf(vm.id)).toMatchObject({ lines: [], live: false, reason: 'starting' })
  })
})

const following =
  'subscription ($id: ID!, $tailLines: Int) { vmLogAppended(id: $id, tailLines: $tailLines) { lines unfinished live reason } }'

const follower = async (id: string, tailLines = 5, token = tenant.admin.token) => {
  const peer = await GraphqlSocketClient.login(world.url, { token })
  onTestFinished(() => peer.leave())
  const watched = peer.subscribe(following, { id, tailLines })
  const messages = (): Json[] =>
    peer.of(watched).flatMap(({ payload }) => payload?.data?.vmLogAppended ?? [])
  return {
    peer,
    watched,
    messages,
    lines: () => messages().flatMap(({ lines }) => lines as string[]),
  }
}

describe('subscriptions to the log of a VM', () => {
  test('a subscriber gets the last lines, then each new line over restarts, until the VM is gone', async () => {
    const vm = await runningAndBooted()
    const { peer, watched, messages, lines } = await follower(vm.id)
    await waitFor(() => lines().length > 0, { what: 'the last lines' })
    expect(lines().length).toBeLessThan(10)
    await waitFor(() => messages().at(-1)?.unfinished.endsWith('login: '), {
      what: 'the prompt, which is an unfinished line',
    })
    await type(vm.id, 'typed-while-followed')
    await waitFor(() => lines().some((line) => line.includes('typed-while-followed')), {
      what: 'the typed line',
    })
    await stopped(vm.id)
    await waitFor(() => messages().at(-1)?.reason === 'stopped', { what: 'the end of the VMI' })
    const before = lines().length
    await vms.ask('startVm', vm.id)
    await waitFor(
      () =>
        lines()
          .slice(before)
          .some((line) => line.includes('Linux version')),
      { timeoutMs: 10_000, what: 'the next boot' },
    )
    expect(lines().filter((line) => line.includes('typed-while-followed')).length).toBe(1)
    await vms.ask('deleteVm', vm.id)
    await waitFor(() => peer.of(watched).at(-1)?.type === 'complete', {
      timeoutMs: 10_000,
      what: 'the subscription to end',
    })
  })

  test('a subscriber to another tenant’s log gets the same answer as for an unknown VM', async () => {
    const vm = await vms.running()
    const rival = await world.tenant()
    const codes = await Promise.all(
      [vm.id, randomUUID()].map(async (id) => {
        const { peer, watched } = await follower(id, 5, rival.admin.token)
        const [answer] = await peer.next(watched)
        return JSON.stringify(answer).match(/"code":"(\w+)"/)?.[1]
      }),
    )
    expect(codes).toEqual(['not_found', 'not_found'])
  })

  test('a client follows at most twenty logs at a time', async () => {
    const vm = await vms.running()
    const peer = await GraphqlSocketClient.login(world.url, { token: tenant.admin.token })
    onTestFinished(() => peer.leave())
    const all = Array.from({ length: 20 }, () => peer.subscribe(following, { id: vm.id }))
    await waitFor(() => all.every((id) => peer.of(id).length > 0), { what: 'all subscriptions' })
    const refused = await peer.next(peer.subscribe(following, { id: vm.id }))
    expect(JSON.stringify(refused)).toContain('too_many_requests')
    for (const id of all) peer.send({ id, type: 'complete' })
    const again = async (): Promise<boolean> => {
      const [answer] = await peer.next(peer.subscribe(following, { id: vm.id }))
      return Boolean(answer?.payload?.data?.vmLogAppended)
    }
    await waitFor(again, { everyMs: 200, what: 'a free subscription' })
  })
})

test('the last five boots of a VM are stored, and nothing of an unknown VM', async () => {
  const vm = await vms.create({ start: false })
  const database = await openDatabase({
    url: world.database.url,
    log: createLog('silent'),
    poolSize: 2,
  })
  onTestFinished(() => database.close())
  const { bootLogs } = storeOn({
    database,
    clock: systemClock,
    seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
  })
  const scope = { tenantId: tenant.id }
  for (let boot = 1; boot <= 7; boot += 1) {
    const times = { vmiUid: `run-${boot}`, startedAt: `2026-01-0${boot}T00:00:00Z`, isCut: false }
    await bootLogs.store({
      namespace: tenant.namespace,
      name: vm.name,
      bytes: Buffer.from(`boot ${boot}`),
      ...times,
    })
  }
  expect((await bootLogs.of(scope, vm.id)).map(({ vmiUid }) => vmiUid)).toEqual([
    'run-7',
    'run-6',
    'run-5',
    'run-4',
    'run-3',
  ])
  expect(String(await bootLogs.read(scope, vm.id, 'run-7'))).toBe('boot 7')
  expect(await bootLogs.of({ tenantId: randomUUID() }, vm.id)).toEqual([])
  const strange = { vmiUid: 'r', startedAt: null, isCut: false, bytes: Buffer.from('x') }
  await bootLogs.store({ namespace: tenant.namespace, name: 'unknown', ...strange })
  expect(
    await world.database.sql(`select 1 as there from vm_boot_log where vmi_uid = 'r'`),
  ).toEqual([])
})
