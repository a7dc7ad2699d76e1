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

/* Deletion of a namespace and its content. */
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

/** Sets the delay factor for the next check of a namespace that waits for its content. */
async function setRetryPace(factor: number): Promise<void> {
  await sandboxFaults(sandbox).inject('pace', { factor, steps: ['namespaceRetry'] })
  onTestFinished(async () => void (await sandboxFaults(sandbox).inject('pace', { factor: 0.1 })))
}

/** Holds the kubelet, so that no pod is reported as ended. */
async function holdPods(): Promise<() => Promise<unknown>> {
  const faults = sandboxFaults(sandbox)
  await faults.inject('controllers/hold', { controller: 'kubelet' })
  const release = (): Promise<unknown> =>
    faults.inject('controllers/release', { controller: 'kubelet' })
  onTestFinished(async () => void (await release()))
  return release
}

test('a deleted namespace removes its pods first and then all other objects', async () => {
  const world = await guestWorld(sandbox, 'full')
  await world.run('web-1', { runStrategy: 'Always' })
  const watched = await watchAll(sandbox, 'full')
  onTestFinished(() => watched.stop())
  // Controllers observe the end of the pod long before the next check of the namespace, as in a
  // cluster.
  await setRetryPace(0.6)
  const release = await holdPods()
  const statesOf = (kind: string): string[] =>
    tracksOf(watched.events).find((track) => track.kind === kind)?.states ?? []
  await remove('full')
  await waitFor(() => statesOf('Pod').includes('deleting'), { what: 'the terminating pod' })
  await sandboxFaults(sandbox).inject('clock/advance', { ms: 5_000 })
  const { status } = (await sandbox.call(path('full'))).body as {
    status?: { conditions?: { type: string; reason: string }[] }
  }
  const reasons = (status?.conditions ?? []).map(({ type, reason }) => [type, reason])
  expect(reasons).toContainEqual(['NamespaceContentRemaining', 'ContentRemoved'])
  expect(statesOf('VirtualMachine')).toEqual([])
  await release()
  await waitFor(() => isGone('full'), { what: 'deletion of the namespace', timeoutMs: 10_000 })
  await waitFor(() => statesOf('VirtualMachine').includes('gone'), {
    what: 'the deletion event of the VM',
  })
  expect(statesOf('VirtualMachineInstance')).toEqual(['Failed', 'deleting', 'gone'])
  expect(statesOf('VirtualMachine')).toEqual(['Stopped', 'deleting', 'gone'])
})

test('a deleted namespace without pods is emptied at once', async () => {
  await guestWorld(sandbox, 'empty')
  await setRetryPace(10_000)
  await remove('empty')
  await waitFor(() => isGone('empty'), { what: 'deletion of the namespace' })
})
