import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guestStreams } from '../../server/src/cluster/kubevirt/guest-streams.ts'
import { type Transport } from '../../server/src/cluster/kubevirt/transport.ts'
import { type ByteStream, type ClusterStreams } from '../../server/src/cluster/streams.ts'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { transportTo } from '../support/gateway.ts'
import { type GuestWorld, guestWorld } from '../support/guest-world.ts'
import { type RunningSandbox, startSandboxProcess } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'

/* Guests of the sandbox, seen through the gateway's streams and the subresources. */
let sandbox: RunningSandbox
let transport: Transport
let streams: ClusterStreams
let world: GuestWorld
let used = 0
let open: ByteStream[] = []

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
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

interface Visit {
  stream: ByteStream
  text(): string
  /** Types, and waits until the text is there that was not there before. */
  says(typed: string, answer: string | RegExp): Promise<void>
  /** Presses return until the guest asks for a name: who comes late has missed the prompt. */
  prompted(): Promise<void>
}

async function visit(name: string): Promise<Visit> {
  const stream = await streams.openConsole({ namespace: world.namespace, vm: name })
  open.push(stream)
  const chunks: Uint8Array[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of stream.bytes) chunks.push(chunk)
  }
  void read()
  const text = (): string => Buffer.concat(chunks).toString('utf8')
  return {
    stream,
    text,
    async prompted() {
      const asked = async (): Promise<boolean> => {
        if (text().endsWith('login: ')) return true
        await stream.write(Buffer.from('\r'))
        return false
      }
      await waitFor(asked, { everyMs: 60, what: 'a login prompt' })
    },
    async says(typed, answer) {
      const before = text().length
      await stream.write(Buffer.from(typed))
      const found = (said: string): boolean => (typeof answer === 'string' ? said.includes(answer) : answer.test(said))
      await waitFor(() => found(text().slice(before)), { what: `${String(answer)} in ${text().slice(-400)}` })
    },
  }
}

const loginData = '#cloud-config\npassword: s3cret\nchpasswd: { expire: false }\n'

async function login(name: string): Promise<Visit> {
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
