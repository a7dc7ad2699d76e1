import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guestStreams } from '../../../src/cluster/vm/guest-streams.ts'
import { type Transport } from '../../../src/engine/kube/transport.ts'
import { type ByteStream, type ClusterStreams } from '../../../src/engine/kube/streams/streams.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { transportTo } from '../../../../test/support/cluster/gateway.ts'
import { type GuestVisit, guestVisit } from '../support/guest-console.ts'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { rfbClient } from '../../../../test/support/sandbox/rfb-client.ts'
import { type SandboxFaults, sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/* Guests of the sandbox, seen through the gateway's streams and the subresources. */
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

async function visit(name: string): Promise<GuestVisit> {
  const visitor = await guestVisit(streams, { namespace: world.namespace, vm: name })
  open.push(visitor.stream)
  return visitor
}

const loginData = '#cloud-config\npassword: s3cret\nchpasswd: { expire: false }\n'

async function login(name: string): Promise<GuestVisit> {
  const visitor = await visit(name)
  await visitor.prompted()
  await visitor.says('fedora\r', 'Password: ')
  await visitor.says('s3cret\r', '$ ')
  return visitor
}

describe('a console', () => {
  test('asks for a name once the guest has booted', async () => {
    await world.run('web-1')
    const { prompted, text } = await visit('web-1')
    await prompted()
    expect(text()).toMatch(/web-1 login: $/)
  })

  test('lets in who has the password that cloud-init set, and runs what is typed', async () => {
    await world.run('web-1', { userData: loginData })
    const visitor = await login('web-1')
    await visitor.says('echo hello > note; cat note\r', '\r\nhello\r\n')
    expect(visitor.text()).not.toContain('s3cret')
  })

  test.each(['s3cre', ''])('lets nobody in with the password %o', async (password) => {
    await world.run('web-1', { userData: loginData })
    const { says, prompted } = await visit('web-1')
    await prompted()
    await says('fedora\r', 'Password: ')
    await says(`${password}\r`, 'Login incorrect')
  })

  test('ends when another visitor comes', async () => {
    await world.run('web-1')
    const first = await visit('web-1')
    const second = await visit('web-1')
    expect(await first.stream.closed).toBe('lost')
    await second.prompted()
  })

  test('is refused where there is none', async () => {
    const ref = { namespace: world.namespace, vm: 'web-1' }
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble: 'gone' })
    await world.run('web-1', { devices: { autoattachSerialConsole: false } })
    await expect(streams.openConsole(ref)).rejects.toMatchObject({ trouble: 'refused' })
  })
})

describe('an agent', () => {
  const connected = (name: string): Promise<void> =>
    waitFor(() => world.isTrue(name, 'AgentConnected'), { what: 'the agent', timeoutMs: 10_000 })

  test('tells of the guest, its users and its disks', async () => {
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

  test('reports the address that network data gave a second interface, by its MAC', async () => {
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

  test('is gone from the conditions when it ends', async () => {
    await world.run('web-1')
    await connected('web-1')
    await faults.order('guest', { namespace: world.namespace, name: 'web-1', act: 'agent-off' })
    await waitFor(async () => !(await world.isTrue('web-1', 'AgentConnected')))
    expect((await world.sub('web-1', 'guestosinfo')).text).toContain(
      'VMI does not have guest agent connected',
    )
  })
})

describe('a guest', () => {
  const uidOf = async (name: string): Promise<string> => (await world.vmi(name)).uid

  test('that powers off ends its VMI, and its VM stays off', async () => {
    await world.run('web-1', { userData: loginData })
    const visitor = await login('web-1')
    await visitor.says('sudo poweroff\r', 'Power down')
    await waitFor(async () => (await uidOf('web-1')) === '')
    expect(await visitor.stream.closed).toBe('lost')
  })

  test('that crashes is started again', async () => {
    await world.run('web-1')
    const before = await uidOf('web-1')
    await faults.order('guest', { namespace: world.namespace, name: 'web-1', act: 'crash' })
    await waitFor(async () => !['', before].includes(await uidOf('web-1')), { timeoutMs: 10_000 })
  })

  test.each(['softreboot', 'reset'])(
    'comes up again in the same instance after a %s',
    async (action) => {
      await world.run('web-1')
      const visitor = await visit('web-1')
      await visitor.prompted()
      const before = await uidOf('web-1')
      expect((await world.sub('web-1', action, 'PUT')).status).toBe(200)
      await waitFor(() => visitor.text().includes('SeaBIOS'))
      await visitor.says('', /login: $/)
      expect(await uidOf('web-1')).toBe(before)
    },
  )

  test('that is paused answers what was typed once it goes on', async () => {
    await world.run('web-1', { userData: loginData })
    const visitor = await login('web-1')
    await world.sub('web-1', 'pause', 'PUT')
    // The agent of the node stops it a moment later: what the guest still answers until then is no
    // echo of this.
    const silent = async (): Promise<boolean> => {
      const before = visitor.text().length
      await visitor.stream.write(Buffer.from('x'))
      await world.vmi('web-1')
      await world.vmi('web-1')
      return visitor.text().length === before
    }
    await waitFor(silent)
    const before = visitor.text().length
    await world.sub('web-1', 'unpause', 'PUT')
    await waitFor(() => visitor.text().slice(before).includes('x'))
  })
})

describe('a screen', () => {
  test('speaks RFB, shows the terminal, and takes keys', async () => {
    await world.run('web-1', { userData: loginData })
    const visitor = await visit('web-1')
    await visitor.prompted()
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
    await waitFor(() => visitor.text().endsWith('Password: '))
    expect((await rfb.picture()).equals(before)).toBe(false)
  })

  test('is given to the newcomer, and kept from a polite one', async () => {
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

  test('is there as a picture', async () => {
    await world.run('web-1')
    const { status, headers, text } = await world.sub('web-1', 'vnc/screenshot')
    expect({ status, type: headers['content-type'], isPng: text.slice(1, 4) }).toEqual({
      status: 200,
      type: 'image/png',
      isPng: 'PNG',
    })
  })
})

test('an upgrade meets the faults that are ordered for it, and needs credentials', async () => {
  await world.run('web-1')
  const ref = { namespace: world.namespace, vm: 'web-1' }
  await faults.order('requests', {
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

test('what a guest says on its serial line is the log of the sidecar beside it', async () => {
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
  const said = (): string => Buffer.concat(chunks).toString('utf8')
  await waitFor(() => said().includes('Linux version') && said().includes('login: '), {
    what: said(),
  })
  await faults.order('guest', { namespace: world.namespace, name: 'web-1', act: 'poweroff' })
  await reading
  expect(said()).toContain('Power down')
  expect(await stream.closed).toBe('ended')
})
