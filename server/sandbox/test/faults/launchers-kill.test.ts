import { expect, test } from 'vitest'
import { guestWorld } from '../support/guest-world.ts'
import {
  type KubeBody,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

const pods = '/api/v1/namespaces/kept/pods'

const launchersIn = async (sandbox: RunningSandbox): Promise<KubeBody[]> =>
  (await sandbox.call(`${pods}?labelSelector=kubevirt.io%3Dvirt-launcher`)).body.items

/** Kills it without a word, and starts it again on what it kept. */
async function killed(sandbox: RunningSandbox): Promise<RunningSandbox> {
  await sandbox.kill('SIGKILL')
  sandbox.close()
  return await startSandboxProcess(sandbox.folder, { pace: 0.1 })
}

test.each([
  { moment: 'its guest goes down', step: 'guestStop', phase: 'Running' },
  { moment: 'its guest is down and its pod is not gone yet', step: 'podStop', phase: 'Succeeded' },
] as const)(
  'after kill -9 while $moment a machine fails with its pod and runs again, once',
  async ({ step, phase }) => {
    const first = await startSandboxProcess(undefined, { pace: 0.1 })
    const before = await guestWorld(first, 'kept')
    await before.run('web-1')
    const { uid } = await before.vmi('web-1')
    await sandboxFaults(first).order('pace', { factor: 1_000, steps: [step] })
    const [launcher] = await launchersIn(first)
    await first.call(`${pods}/${launcher?.metadata.name}`, { method: 'DELETE' })
    const isSo = async (): Promise<boolean> =>
      ((await launchersIn(first))[0]?.status as { phase?: string } | undefined)?.phase === phase
    await waitFor(isSo, { what: `its pod to be ${phase}` })
    const second = await killed(first)
    const after = await guestWorld(second, 'kept')
    const runsAgain = async (): Promise<boolean> => {
      const found = await after.vmi('web-1')
      return found.phase === 'Running' && found.uid !== uid
    }
    await waitFor(runsAgain, { what: 'it to run again', timeoutMs: 10_000 })
    const left = await launchersIn(second)
    expect(left.map(({ metadata }) => metadata.labels?.['kubevirt.io/created-by'])).toEqual([
      (await after.vmi('web-1')).uid,
    ])
    await second.stop()
  },
)

test('after kill -9 between its pods and the rest a namespace goes on to its end', async () => {
  const first = await startSandboxProcess(undefined, { pace: 0.1 })
  const world = await guestWorld(first, 'kept')
  await world.run('web-1')
  await sandboxFaults(first).order('pace', { factor: 1_000, steps: ['namespaceRetry'] })
  await first.call('/api/v1/namespaces/kept', { method: 'DELETE' })
  await waitFor(async () => (await launchersIn(first)).length === 0, {
    what: 'its pods to be gone',
  })
  const second = await killed(first)
  const isGone = async (): Promise<boolean> =>
    (await second.call('/api/v1/namespaces/kept')).status === 404
  await waitFor(isGone, { what: 'its end', timeoutMs: 10_000 })
  await second.stop()
})
