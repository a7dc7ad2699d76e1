import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guestStreams } from '../../../src/cluster/vm/guest-streams.ts'
import { type Transport } from '../../../src/engine/kube/transport.ts'
import { type ByteStream, type ClusterStreams } from '../../../src/engine/kube/streams/streams.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { transportTo } from '../../../../test/support/cluster/gateway.ts'
import { type GuestConsole, openGuestConsole } from '../support/guest-console.ts'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { rfbClient } from '../../../../test/support/sandbox/rfb-client.ts'
import { type SandboxFaults, sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/* Guests of the sandbox, observed through the streams of the gateway and the subresources. */
let sandbox: RunningSandbox
let faults: SandboxFaults
let transport: Transport
let streams: ClusterStreams
let world: GuestWorld
let used = 0
let open: ByteStream[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  faults = sandboxFaults(sandbox)
  transport = transportTo({ url: sandbox.url, ca: sandbox.ca ?? '', token: sandbox.token })
  streams = guestStreams(transport, systemClock)
})
beforeEach(async () => {
  world = await guestWorld(sandbox, `guests-${(used += 1)}`)
})
afterEach(() => {
  for (const each of open) each.close()
  open = []
})
afterAll(async () => {
  transport.close()
  await sandbox.stop()
})

async function openConsole(name: string): Promise<GuestConsole> {
  const terminal = await openGuestConsole(streams, { namespace: world.namespace, vm: name })
  open.push(terminal.stream)
  return terminal
}

const loginData = '#cloud-config\npassword: s3cret\nchpasswd: { expire: false }\n'

async function login(name: string): Promise<GuestConsole> {
  const terminal = await openConsole(name)
  await terminal.waitForLogin()
  await terminal.expectReply('fedora\r', 'Password: ')
  await terminal.expectReply('s3cret\r', '$ ')
  return terminal
}

describe('serial consoles', () => {
  test('the console shows a login prompt after the guest has booted', async () => {
    await world.run('web-1')
    const { waitForLogin, text } = await openConsole('web-1')
    await waitForLogin()
    expect(text()).toMatch(/web-1 login: $/)
  })

  test('the console accepts the password from cloud-init and runs commands', async () => {
    await world.run('web-1', { userData: loginData })
    const terminal = await login('web-1')
    await terminal.expectReply('echo hello > note; cat note\r', '\r\nhello\r\n')
    expect(terminal.text()).not.toContain('s3cret')
  })

  test.each(['s3cre', ''])('the console refuses the password %o', async (password) => {
    await world.run('web-1', { userData: loginData })
    const { expectReply, waitForLogin } = await openConsole('web-1')
    await waitForLogin()
    await expectReply('fedora\r', 'Password: ')
    await expectReply(`${password}\r`, 'Login incorrect')
  })

  test('a console session ends when another client connects', async () => {
    await world.run('web-1')
    const first = await openConsole('web-1')
    const second = await openConsole('web-1')
    expect(await first.stream.closed).toBe('lost')
    await second.waitForLogin()
  })

  test('a console connection is refused when the VM does not run or has no console', async () => {
    const ref = { namespace: world.namespace, vm: 'web-1' }
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble: 'gone' })
    await world.run('web-1', { devices: { autoattachSerialConsole: false } })
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble: 'refused' })
  })
})

describe('guest agents', () => {
  const connected = (name: string): Promise<void> =>
    waitFor(() => world.isTrue(name, 'AgentConnected'), { what: 'the agent', timeoutMs: 10_000 })

  test('the agent reports the guest, its users and its disks', async () => {
    await world.run('web-1', {
      image: 'docker.io/library/debian:13',
      userData: '#cloud-config\nhostname: shop\n',
    })
    await connected('web-1')
    const { text } = await world.sub('web-1', 'guestosinfo')
    expect(JSON.parse(text)).toMatchObject({ hostname: 'shop', os: { id: 'debian' } })
    expect((await world.vmi('web-1')).status.guestOSInfo).toMatchObject({ id: 'debian' })
    expect(JSON.parse((await world.sub('web-1', 'userlist')).text)).toMatchObject({
      items: [{ userName: 'debian' }],
    })
    expect(JSON.parse((await world.sub('web-1', 'filesystemlist')).text)).toMatchObject({
      items: [{ mountPoint: '/' }],
    })
  })

  test('the agent reports the address that network data sets for a second NIC', async () => {
    const network = {
      apiVersion: 'k8s.cni.cncf.io/v1',
      kind: 'NetworkAttachmentDefinition',
      metadata: { name: 'lan' },
      spec: { config: '{}' },
    }
    const networks = `/apis/k8s.cni.cncf.io/v1/namespaces/${world.namespace}/network-attachment-definitions`
    expect((await sandbox.call(networks, { method: 'POST', body: network })).status).toBe(201)
    const networkData = [
      'version: 2',
      'ethernets:',
      '  lan:',
      '    match: { macaddress: "02:00:00:00:00:0B" }',
      '    set-name: lan0',
      '    addresses: [10.7.0.5/24]',
    ]
    await world.run('web-1', {
      networkData: networkData.join('\n'),
      interfaces: [
        { name: 'default', masquerade: {} },
        { name: 'lan', bridge: {}, macAddress: '02:00:00:00:00:0b' },
      ],
      networks: [
        { name: 'default', pod: {} },
        { name: 'lan', multus: { networkName: 'lan' } },
      ],
    })
    await connected('web-1')
    const { interfaces = [] } = (await world.vmi('web-1')).status
    expect(interfaces.find(({ name }) => name === 'lan')).toMatchObject({
      interfaceName: 'lan0',
      ipAddress: '10.7.0.5',
      ipAddresses: ['10.7.0.5'],
    })
  })

  test('the condition AgentConnected is removed when the agent stops', async () => {
    await world.run('web-1')
    await connected('web-1')
    await faults.inject('guest', { namespace: world.namespace, name: 'web-1', act: 'agent-off' })
    await waitFor(async () => !(await world.isTrue('web-1', 'AgentConnected')))
    expect((await world.sub('web-1', 'guestosinfo')).text).toContain(
      'VMI does not have guest agent connected',
    )
  })
})

describe('guest power', () => {
  const uidOf = async (name: string): Promise<string> => (await world.vmi(name)).uid

  test('a guest that powers off ends its VMI, and the VM stays off', async () => {
    await world.run('web-1', { userData: loginData })
    const terminal = await login('web-1')
    await terminal.expectReply('sudo poweroff\r', 'Power down')
    await waitFor(async () => (await uidOf('web-1')) === '')
    expect(await terminal.stream.closed).toBe('lost')
  })

  test('a guest that crashes is started again', async () => {
    await world.run('web-1')
    const before = await uidOf('web-1')
    await faults.inject('guest', { namespace: world.namespace, name: 'web-1', act: 'crash' })
    await waitFor(async () => !['', before].includes(await uidOf('web-1')), { timeoutMs: 10_000 })
  })

  test.each(['softreboot', 'reset'])(
    'a guest boots again in the same VMI after a %s',
    async (action) => {
      await world.run('web-1')
      const terminal = await openConsole('web-1')
      await terminal.waitForLogin()
      const before = await uidOf('web-1')
      expect((await world.sub('web-1', action, 'PUT')).status).toBe(200)
      await waitFor(() => terminal.text().includes('SeaBIOS'))
      await terminal.expectReply('', /login: $/)
      expect(await uidOf('web-1')).toBe(before)
    },
  )

  test('a paused guest handles input after it is unpaused', async () => {
    await world.run('web-1', { userData: loginData })
    const terminal = await login('web-1')
    await world.sub('web-1', 'pause', 'PUT')
    // virt-handler pauses the guest shortly after the request. Output until then is no echo of this
    // input.
    const silent = async (): Promise<boolean> => {
      const before = terminal.text().length
      await terminal.stream.write(Buffer.from('x'))
      await world.vmi('web-1')
      await world.vmi('web-1')
      return terminal.text().length === before
    }
    await waitFor(silent)
    const before = terminal.text().length
    await world.sub('web-1', 'unpause', 'PUT')
    await waitFor(() => terminal.text().slice(before).includes('x'))
  })
})

describe('VNC screens', () => {
  test('a screen speaks RFB, shows the terminal and accepts keys', async () => {
    await world.run('web-1', { userData: loginData })
    const terminal = await openConsole('web-1')
    await terminal.waitForLogin()
    const stream = await streams.openScreen(
      { namespace: world.namespace, vm: 'web-1' },
      { polite: false },
    )
    open.push(stream)
    const rfb = rfbClient(stream)
    expect(await rfb.hello()).toEqual({ width: 720, height: 400 })
    const before = await rfb.picture()
    expect(before.some((byte) => byte !== 0)).toBe(true)
    for (const letter of 'fedora\r') await rfb.key(letter === '\r' ? 0xff0d : letter.charCodeAt(0))
    await waitFor(() => terminal.text().endsWith('Password: '))
    expect((await rfb.picture()).equals(before)).toBe(false)
  })

  test('a second client takes over the screen unless it is polite', async () => {
    await world.run('web-1')
    const ref = { namespace: world.namespace, vm: 'web-1' }
    const first = await streams.openScreen(ref, { polite: false })
    await rfbClient(first).hello()
    await expect(streams.openScreen(ref, { polite: true })).rejects.toMatchObject({
      trouble: 'unreachable',
    })
    const second = await streams.openScreen(ref, { polite: false })
    open.push(first, second)
    expect(await first.closed).toBe('lost')
  })

  test('a screenshot of the screen is a PNG image', async () => {
    await world.run('web-1')
    const { status, headers, text } = await world.sub('web-1', 'vnc/screenshot')
    expect({ status, type: headers['content-type'], isPng: text.slice(1, 4) }).toEqual({
      status: 200,
      type: 'image/png',
      isPng: 'PNG',
    })
  })
})

test('an upgrade request needs credentials and is subject to faults', async () => {
  await world.run('web-1')
  const ref = { namespace: world.namespace, vm: 'web-1' }
  await faults.inject('requests', {
    path: '*/console',
    fault: { do: 'answer', status: 503, body: 'away' },
  })
  await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble: 'unreachable' })
  const stranger = transportTo({ url: sandbox.url, ca: sandbox.ca ?? '', token: 'guessed' })
  await expect(guestStreams(stranger, systemClock).openConsole(ref)).rejects.toMatchObject({
    trouble: 'unauthenticated',
  })
  stranger.close()
  open.push(await streams.openConsole(ref))
})

test('the log of the console sidecar contains the serial output of the guest', async () => {
  await world.run('web-1')
  const stream = await streams.followGuestLog(
    { namespace: world.namespace, vm: 'web-1' },
    { tailLines: 1000 },
  )
  const chunks: Uint8Array[] = []
  const read = async (): Promise<void> => {
    for await (const bytes of stream.bytes) chunks.push(bytes)
  }
  const reading = read()
  const output = (): string => Buffer.concat(chunks).toString('utf8')
  await waitFor(() => output().includes('Linux version') && output().includes('login: '), {
    what: output(),
  })
  await faults.inject('guest', { namespace: world.namespace, name: 'web-1', act: 'poweroff' })
  await reading
  expect(output()).toContain('Power down')
  expect(await stream.closed).toBe('ended')
})
