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

/** Kills the sandbox and starts it again on its stored state. */
async function killAndRestart(sandbox: RunningSandbox): Promise<RunningSandbox> {
  await sandbox.kill('SIGKILL')
  sandbox.close()
  return await startSandboxProcess(sandbox.folder, { pace: 0.1 })
}

test.each([
  { moment: 'its guest shuts down', step: 'guestStop', phase: 'Running' },
  { moment: 'its guest is down and its pod still exists', step: 'podStop', phase: 'Succeeded' },
] as const)(
  'a VM whose pod is deleted runs again exactly once after kill -9 while $moment',
  async ({ step, phase }) => {
    const first = await startSandboxProcess(undefined, { pace: 0.1 })
    const before = await guestWorld(first, 'kept')
    await before.run('web-1')
    const { uid } = await before.vmi('web-1')
    await sandboxFaults(first).inject('pace', { factor: 1_000, steps: [step] })
    const [launcher] = await launchersIn(first)
    await first.call(`${pods}/${launcher?.metadata.name}`, { method: 'DELETE' })
    const hasPhase = async (): Promise<boolean> =>
      ((await launchersIn(first))[0]?.status as { phase?: string } | undefined)?.phase === phase
    await waitFor(hasPhase, { what: `the pod with phase ${phase}` })
    const second = await killAndRestart(first)
    const after = await guestWorld(second, 'kept')
    const runsAgain = async (): Promise<boolean> => {
      const found = await after.vmi('web-1')
      return found.phase === 'Running' && found.uid !== uid
    }
    await waitFor(runsAgain, { what: 'another running VMI', timeoutMs: 10_000 })
    const left = await launchersIn(second)
    expect(left.map(({ metadata }) => metadata.labels?.['kubevirt.io/created-by'])).toEqual([
      (await after.vmi('web-1')).uid,
    ])
    await second.stop()
  },
)

test('a namespace completes its deletion after kill -9 between its pods and other objects', async () => {
  const first = await startSandboxProcess(undefined, { pace: 0.1 })
  const world = await guestWorld(first, 'kept')
  await world.run('web-1')
  await sandboxFaults(first).inject('pace', { factor: 1_000, steps: ['namespaceRetry'] })
  await first.call('/api/v1/namespaces/kept', { method: 'DELETE' })
  await waitFor(async () => (await launchersIn(first)).length === 0, {
    what: 'deletion of the pods',
  })
  const second = await killAndRestart(first)
  const isGone = async (): Promise<boolean> =>
    (await second.call('/api/v1/namespaces/kept')).status === 404
  await waitFor(isGone, { what: 'deletion of the namespace', timeoutMs: 10_000 })
  await second.stop()
})
