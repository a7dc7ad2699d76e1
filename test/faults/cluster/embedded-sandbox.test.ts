import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import {
  SandboxFailed,
  type SandboxProcess,
  startSandboxProcess,
} from '../../../server/src/engine/kube/embedded-sandbox.ts'
import { sandboxProgram } from '../../support/sandbox/program.ts'
import { quietLog } from '../../support/cluster/gateway.ts'
import { kubeClientOf } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'

async function started(
  folder = mkdtempSync(join(tmpdir(), 'berth-supervised-')),
): Promise<SandboxProcess & { folder: string }> {
  const sandbox = await startSandboxProcess({
    entry: sandboxProgram,
    folder,
    clock: systemClock,
    log: quietLog,
  })
  onTestFinished(async () => {
    await sandbox.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...sandbox, folder }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a sandbox that is killed comes back on the same address with its objects', async () => {
  const sandbox = await started()
  const client = await kubeClientOf(sandbox.kubeconfig)
  onTestFinished(() => client.close())
  await client.call('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'kept' } } })
  const pid = sandbox.pid() ?? 0
  process.kill(pid, 'SIGKILL')
  const answer = () => client.call('/api/v1/namespaces/kept').catch(() => null)
  await waitFor(async () => sandbox.pid() !== pid && (await answer())?.status === 200, {
    timeoutMs: 8000,
  })
  expect((await kubeClientOf(sandbox.kubeconfig)).url).toBe(client.url)
})

test('a stopped sandbox process ends and is not started again', async () => {
  const sandbox = await started()
  const pid = sandbox.pid() ?? 0
  await sandbox.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a second sandbox on the same folder is refused with an explanation', async () => {
  const { folder } = await started()
  await expect(
    startSandboxProcess({ entry: sandboxProgram, folder, clock: systemClock, log: quietLog }),
  ).rejects.toThrow(SandboxFailed)
  await expect(
    startSandboxProcess({ entry: sandboxProgram, folder, clock: systemClock, log: quietLog }),
  ).rejects.toThrow(/another sandbox is running/)
})

test('the token and the keys are readable by their owner only', async () => {
  const { folder, kubeconfig } = await started()
  for (const file of [kubeconfig, join(folder, 'token.json'), join(folder, 'tls.json')])
    expect(statSync(file).mode & 0o077).toBe(0)
  expect(readFileSync(kubeconfig, 'utf8')).not.toContain('PRIVATE KEY')
})
