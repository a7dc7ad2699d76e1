import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guestStreams } from '../../../src/cluster/vm/guest-streams.ts'
import { type Transport } from '../../../src/engine/kube/transport.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { transportTo } from '../../../../test/support/cluster/gateway.ts'
import { type GuestConsole, openGuestConsole } from '../support/guest-console.ts'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import { type Json } from '../../../../test/support/json.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/* Hotplug and unplug of NICs in a running guest, as KubeVirt does it. */
let sandbox: RunningSandbox
let transport: Transport
let world: GuestWorld
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  transport = transportTo({ url: sandbox.url, ca: sandbox.ca ?? '', token: sandbox.token })
  world = await guestWorld(sandbox, 'nics')
  for (const name of ['lan', 'dmz']) {
    const body = {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name },
      spec: { config: '{}' },
    }
    await createObject(
      '/apis/k8s.cni.cncf.io/v1/namespaces/nics/network-attachment-definitions',
      body,
    )
  }
})
afterAll(async () => {
  transport.close()
  await sandbox.stop()
})

async function createObject(path: string, body: object): Promise<void> {
  const { status, text } = await sandbox.call(path, { method: 'POST', body })
  if (status !== 201) throw new TypeError(text)
}

const at = (kind: string, name: string): string =>
  `/apis/kubevirt.io/v1/namespaces/nics/${kind}/${name}`
const read = async (kind: string, name: string): Promise<Json> =>
  (await sandbox.call(at(kind, name))).body
const vmOf = (name: string): Promise<Json> => read('virtualmachines', name)
const vmiOf = (name: string): Promise<Json> => read('virtualmachineinstances', name)
const condition = ({ status }: Json, type: string): Json =>
  status?.conditions?.find((each: Json) => each.type === type)
const nicOf = ({ status }: Json, name: string): Json =>
  status?.interfaces?.find((each: Json) => each.name === name)
const migrationsOf = async (name: string): Promise<Json[]> => {
  const list: Json = await read('virtualmachineinstancemigrations', '')
  return list.items.filter(({ spec }: Json) => spec.vmiName === name)
}

async function patchObject(
  path: string,
  operations: Json[],
  type = 'application/json-patch+json',
): Promise<void> {
  const { status, text } = await sandbox.call(path, {
    method: 'PATCH',
    headers: { 'content-type': type },
    body: operations,
  })
  if (status !== 200) throw new TypeError(text)
}

const mac = (name: string): string => (name === 'lan' ? '02:00:00:00:00:0b' : '02:00:00:00:00:0c')
const nic = (name: string): Json => ({ name, bridge: {}, macAddress: mac(name) })
const network = (name: string): Json => ({ name, multus: { networkName: name } })

const plugNic = (vm: string, name: string): Promise<void> =>
  patchObject(at('virtualmachines', vm), [
    { op: 'add', path: '/spec/template/spec/domain/devices/interfaces/-', value: nic(name) },
    { op: 'add', path: '/spec/template/spec/networks/-', value: network(name) },
  ])
const markNicAbsent = (vm: string, index: number): Promise<void> =>
  patchObject(at('virtualmachines', vm), [
    {
      op: 'add',
      path: `/spec/template/spec/domain/devices/interfaces/${index}/state`,
      value: 'absent',
    },
  ])

const login = async (vm: string): Promise<GuestConsole> => {
  const terminal = await openGuestConsole(guestStreams(transport, systemClock), {
    namespace: 'nics',
    vm,
  })
  await terminal.waitForLogin()
  await terminal.expectReply('fedora\r', 'Password: ')
  await terminal.expectReply('s3cret\r', '$ ')
  return terminal
}

const inLan = {
  userData: '#cloud-config\npassword: s3cret\nchpasswd: { expire: false }\n',
  interfaces: [{ name: 'default', masquerade: {} }, nic('lan')],
  networks: [{ name: 'default', pod: {} }, network('lan')],
}

const until = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  waitFor(holds, { what, timeoutMs: 20_000 })
const hasNic = async (vm: string, name: string): Promise<boolean> =>
  Boolean(nicOf(await vmiOf(vm), name)?.infoSource?.startsWith('domain, guest-agent'))

describe('a NIC that is added to a running VM', () => {
  test('a new NIC reaches the guest by a migration, without a restart and without an address', async () => {
    await world.run('hot', inLan)
    await until('the agent', () => hasNic('hot', 'lan'))
    const before = await vmiOf('hot')
    expect(nicOf(before, 'lan')).toMatchObject({
      podInterfaceName: 'pod094a367b026',
      infoSource: 'domain, guest-agent, multus-status',
    })
    await plugNic('hot', 'dmz')
    await until(
      'the NIC in the spec of the VMI',
      async () => (await vmiOf('hot')).spec.networks.length === 3,
    )
    await until(
      'the condition MigrationRequired',
      async () => condition(await vmiOf('hot'), 'MigrationRequired') !== undefined,
    )
    expect(condition(await vmiOf('hot'), 'MigrationRequired')).toMatchObject({
      status: 'False',
      reason: 'AutoMigrationPending',
    })
    expect(nicOf(await vmiOf('hot'), 'dmz')).toBeUndefined()
    await until('the NIC', () => hasNic('hot', 'dmz'))
    const after = await vmiOf('hot')
    expect(after.metadata.uid).toBe(before.metadata.uid)
    expect(after.status.nodeName).not.toBe(before.status.nodeName)
    expect(nicOf(after, 'dmz')).toEqual({
      name: 'dmz',
      mac: mac('dmz'),
      podInterfaceName: expect.stringMatching(/^pod[0-9a-f]{11}$/),
      interfaceName: 'eth2',
      infoSource: 'domain, guest-agent, multus-status',
      queueCount: 1,
      linkState: 'up',
    })
    expect(condition(after, 'MigrationRequired')).toBeUndefined()
    expect(condition(await vmOf('hot'), 'RestartRequired')).toBeUndefined()
    expect(
      (await migrationsOf('hot')).map(
        ({ metadata }) => metadata.annotations['kubevirt.io/workloadUpdateMigration'],
      ),
    ).toEqual([''])

    const terminal = await login('hot')
    await terminal.expectReply(
      'ip a\r',
      /eth2: <BROADCAST,MULTICAST> [^\r]* state DOWN\r\n {4}link\/ether 02:00:00:00:00:0c[^\r]*\r\n\[/,
    )
    await terminal.expectReply(
      'sudo ip address add 10.9.0.5/24 dev eth2 && sudo ip link set eth2 up\r',
      '$ ',
    )
    await terminal.expectReply(
      'ip a\r',
      /eth2: <BROADCAST,MULTICAST,UP,LOWER_UP>[^]*inet 10\.9\.0\.5\/24/,
    )
    await until(
      'the address of the NIC',
      async () => nicOf(await vmiOf('hot'), 'dmz').ipAddress === '10.9.0.5',
    )
    terminal.stream.close()
  })

  test('a new NIC waits for the next start when workload updates do not migrate, and RestartRequired is absent', async () => {
    const methods = '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts/kubevirt'
    const setMethods = (value: string[]): Promise<void> =>
      patchObject(methods, [
        { op: 'replace', path: '/spec/workloadUpdateStrategy/workloadUpdateMethods', value },
      ])
    await world.run('cold', inLan)
    await setMethods([])
    await plugNic('cold', 'dmz')
    await until('the condition MigrationRequired', () => world.isTrue('cold', 'MigrationRequired'))
    expect(condition(await vmOf('cold'), 'RestartRequired')).toBeUndefined()
    const { uid } = (await vmiOf('cold')).metadata
    const restart = '/apis/subresources.kubevirt.io/v1/namespaces/nics/virtualmachines/cold/restart'
    await sandbox.call(restart, { method: 'PUT', body: {} })
    await until(
      'the NIC',
      async () => (await vmiOf('cold')).metadata.uid !== uid && (await hasNic('cold', 'dmz')),
    )
    const { items }: Json = (await sandbox.call('/api/v1/namespaces/nics/events')).body
    const messages = items
      .filter(({ involvedObject }: Json) => involvedObject.name === 'cold')
      .map(({ message }: Json) => message)
    expect(messages).toContainEqual(expect.stringContaining('Started the virtual machine'))
    expect(messages).not.toContainEqual(expect.stringContaining('Created Migration'))
    await setMethods(['LiveMigrate'])
  })
})

describe('a NIC that is marked as absent', () => {
  test('an absent NIC leaves the guest at once, and the specs after the migration', async () => {
    await world.run('out', inLan)
    await until('the agent', () => hasNic('out', 'lan'))
    const before = await vmiOf('out')
    await markNicAbsent('out', 1)
    await until(
      'removal of the NIC from the guest',
      async () => nicOf(await vmiOf('out'), 'lan')?.infoSource === 'multus-status',
    )
    expect((await vmiOf('out')).status.nodeName).toBe(before.status.nodeName)
    const terminal = await login('out')
    await terminal.expectReply('ip a && echo d""one\r', /done\r\n/)
    expect(terminal.text()).not.toContain(mac('lan'))
    terminal.stream.close()
    await until(
      'removal of the NIC from the spec',
      async () => (await vmOf('out')).spec.template.spec.networks.length === 1,
    )
    const after = await vmiOf('out')
    expect(after.status.nodeName).not.toBe(before.status.nodeName)
    expect([
      after.metadata.uid,
      after.spec.networks.length,
      after.status.interfaces.length,
    ]).toEqual([before.metadata.uid, 1, 1])
    expect(condition(await vmOf('out'), 'RestartRequired')).toBeUndefined()
  })

  test('a NIC that is removed from the spec stays until the restart', async () => {
    await world.run('rough', inLan)
    await until('the agent', () => hasNic('rough', 'lan'))
    await patchObject(at('virtualmachines', 'rough'), [
      { op: 'remove', path: '/spec/template/spec/domain/devices/interfaces/1' },
      { op: 'remove', path: '/spec/template/spec/networks/1' },
    ])
    await until(
      'the condition RestartRequired',
      async () => condition(await vmOf('rough'), 'RestartRequired')?.status === 'True',
    )
    expect(nicOf(await vmiOf('rough'), 'lan').infoSource).toContain('domain')
  })

  test('a new NIC that is marked absent cancels its pending migration on a single node', async () => {
    await world.run('alone', inLan)
    await until('the agent', () => hasNic('alone', 'lan'))
    const { status } = await vmiOf('alone')
    const nodes: Json = (await sandbox.call('/api/v1/nodes')).body
    const otherNodes = nodes.items
      .map(({ metadata }: Json) => metadata.name)
      .filter((name: string) => name !== status.nodeName)
    const cordon = (value: boolean): Promise<unknown> =>
      Promise.all(
        otherNodes.map((name: string) =>
          patchObject(`/api/v1/nodes/${name}`, [{ op: 'add', path: '/spec/unschedulable', value }]),
        ),
      )
    await cordon(true)
    await plugNic('alone', 'dmz')
    await until('a migration', async () => (await migrationsOf('alone')).length === 1)
    expect(await world.isTrue('alone', 'MigrationRequired')).toBe(true)
    // The NIC is removed before it is plugged, and the migration is cancelled with it.
    await markNicAbsent('alone', 2)
    await until('the cancelled migration', async () =>
      (await migrationsOf('alone')).every(({ status: { phase } }) => phase === 'Failed'),
    )
    expect(nicOf(await vmiOf('alone'), 'dmz')).toBeUndefined()
    await until(
      'removal of the NIC from the spec',
      async () => (await vmOf('alone')).spec.template.spec.networks.length === 2,
    )
    await cordon(false)
  })
})
