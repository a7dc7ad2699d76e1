import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { guestWorld } from '../support/guest-world.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { tracksOf } from '../timelines/tracks.ts'
import { watchAll } from '../timelines/watch.ts'

/* How a namespace ends with what is in it. */
let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
})
afterAll(() => sandbox.stop())

const path = (namespace: string): string => `/api/v1/namespaces/${namespace}`
const isGone = async (namespace: string): Promise<boolean> =>
  (await sandbox.call(path(namespace))).status === 404
const remove = (namespace: string): Promise<unknown> =>
  sandbox.call(path(namespace), { method: 'DELETE' })

/** How soon a namespace that waits is looked at again, in this test. */
async function lookAgain(factor: number): Promise<void> {
  await sandboxFaults(sandbox).order('pace', { factor, steps: ['namespaceRetry'] })
  onTestFinished(async () => void (await sandboxFaults(sandbox).order('pace', { factor: 0.1 })))
}

/** Pods of which nobody says that they have ended, from now on. */
async function holdPods(): Promise<() => Promise<unknown>> {
  const faults = sandboxFaults(sandbox)
  await faults.order('controllers/hold', { controller: 'kubelet' })
  const letGo = (): Promise<unknown> =>
    faults.order('controllers/release', { controller: 'kubelet' })
  onTestFinished(async () => void (await letGo()))
  return letGo
}

test('pods go first, with what runs in them, and everything else after that', async () => {
  const world = await guestWorld(sandbox, 'full')
  await world.run('web-1', { runStrategy: 'Always' })
  const watched = await watchAll(sandbox, 'full')
  onTestFinished(() => watched.stop())
  // Whoever keeps what ran in a pod has seen its end long before the namespace is looked at again,
  // as in a cluster.
  await lookAgain(0.6)
  const letGo = await holdPods()
  const statesOf = (kind: string): string[] =>
    tracksOf(watched.events).find((track) => track.kind === kind)?.states ?? []
  await remove('full')
  await waitFor(() => statesOf('Pod').includes('deleting'), { what: 'the end of its pod' })
  await sandboxFaults(sandbox).order('clock/advance', { ms: 5_000 })
  const { status } = (await sandbox.call(path('full'))).body as {
    status?: { conditions?: { type: string; reason: string }[] }
  }
  const reasons = (status?.conditions ?? []).map(({ type, reason }) => [type, reason])
  expect(reasons).toContainEqual(['NamespaceContentRemaining', 'ContentRemoved'])
  expect(statesOf('VirtualMachine')).toEqual([])
  await letGo()
  await waitFor(() => isGone('full'), { what: 'its end', timeoutMs: 10_000 })
  await waitFor(() => statesOf('VirtualMachine').includes('gone'), {
    what: 'the news of its machine',
  })
  expect(statesOf('VirtualMachineInstance')).toEqual(['Failed', 'deleting', 'gone'])
  expect(statesOf('VirtualMachine')).toEqual(['Stopped', 'deleting', 'gone'])
})

test('one without pods is emptied at once', async () => {
  await guestWorld(sandbox, 'empty')
  await lookAgain(10_000)
  await remove('empty')
  await waitFor(() => isGone('empty'), { what: 'its end' })
})
