import { expect, test } from 'vitest'
import {
  type KubeBody,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

const vmCount = 50
const kills = 3
const namespace = 'default'
const vmsPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
const vmisPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances`
const podsPath = `/api/v1/namespaces/${namespace}/pods`

const vmManifest = (name: string): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name },
  spec: {
    runStrategy: 'Always',
    template: {
      metadata: { labels: { app: name } },
      spec: {
        domain: {
          memory: { guest: '1Gi' },
          devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] },
        },
        volumes: [{ name: 'root', containerDisk: { image: 'quay.io/containerdisks/fedora:42' } }],
      },
    },
  },
})

interface Vm extends KubeBody {
  spec: { template: { spec: { volumes: { name: string }[] } } }
}

const itemsAt = async (sandbox: RunningSandbox, path: string): Promise<KubeBody[]> =>
  (await sandbox.call(path)).body.items

test('a kill -9 while 50 VMs boot loses no VM, and every VM starts exactly once', async () => {
  let sandbox = await startSandboxProcess(undefined, { pace: 0.3 })
  const { folder } = sandbox
  const uids = new Map<string, string>()
  for (let index = 0; index < vmCount; index += 1) {
    const { status, body } = await sandbox.call(vmsPath, {
      method: 'POST',
      body: vmManifest(`vm-${index}`),
    })
    expect(status).toBe(201)
    uids.set(body.metadata.name, body.metadata.uid)
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    // The kill happens between the first pod and the last running VMI.
    await waitFor(
      async () => (await itemsAt(sandbox, podsPath)).length >= (vmCount * kill) / (kills + 1),
    )
    await sandbox.kill('SIGKILL')
    sandbox.close()
    sandbox = await startSandboxProcess(folder, { pace: 0.3 })
    const found = await itemsAt(sandbox, vmsPath)
    expect(new Map(found.map(({ metadata }) => [metadata.name, metadata.uid]))).toEqual(uids)
    // The cast holds because these VMs were created above.
    for (const { spec } of found as Vm[])
      expect(spec.template.spec.volumes.map(({ name }) => name)).toEqual(['root'])
  }
  const phases = async (): Promise<unknown[]> =>
    (await itemsAt(sandbox, vmisPath)).map(
      ({ status }) => (status as { phase?: string } | undefined)?.phase,
    )
  await waitFor(
    async () => (await phases()).filter((phase) => phase === 'Running').length === vmCount,
    { timeoutMs: 60_000 },
  )
  const launchers = (await itemsAt(sandbox, podsPath)).filter(({ metadata }) =>
    metadata.name.startsWith('virt-launcher-'),
  )
  const owners = launchers
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.labels?.['vm.kubevirt.io/name'])
  expect(owners.toSorted()).toEqual([...uids.keys()].sort())
  await sandbox.stop()
}, 300_000)
