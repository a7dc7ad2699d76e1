import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guestWorld } from '../support/guest-world.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

test('a guest boots again with its log and files after kill -9', async () => {
  const first = await startSandboxProcess(undefined, { pace: 0.1 })
  const write = 'runcmd: [echo once >> /srv/runs, cat /srv/runs]\n'
  const world = await guestWorld(first, 'kept')
  await world.run('web-1', { userData: `#cloud-config\n${write}` })
  const serial = async (client: RunningSandbox): Promise<string> => {
    const { body } = await client.call('/api/v1/namespaces/kept/pods')
    const pod =
      body.items.find(({ metadata }) => metadata.name.startsWith('virt-launcher-'))?.metadata
        .name ?? ''
    return (
      await client.call(`/api/v1/namespaces/kept/pods/${pod}/log?container=guest-console-log`)
    ).text
  }
  await waitFor(async () => (await serial(first)).includes('login: '))
  // The log reaches the disk a moment later.
  await waitFor(() => storedLog(first.folder).includes('login: '))
  await first.kill('SIGKILL')
  first.close()
  const second = await startSandboxProcess(first.folder, { pace: 0.1 })
  await waitFor(async () => ((await serial(second)).match(/login: /g) ?? []).length === 2, {
    what: 'a second login prompt',
  })
  expect((await serial(second)).match(/: once\r\n/g)).toHaveLength(1)
  await second.stop()
})

/** Returns the stored log of the guest. Empty when there is none. */
function storedLog(folder: string): string {
  const guests = join(folder, 'guests')
  const log = readdirSync(guests).find((name) => name.endsWith('.log'))
  return log === undefined ? '' : readFileSync(join(guests, log), 'utf8')
}
