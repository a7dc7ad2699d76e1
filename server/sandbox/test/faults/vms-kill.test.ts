import { expect, test } from 'vitest'
import {
  type KubeBody,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

const machines = 50
const kills = 3
const namespace = 'default'
const machinesPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
const instancesPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances`
const podsPath = `/api/v1/namespaces/${namespace}/pods`

const machine = (name: string): object => ({
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

interface Machine extends KubeBody {
  spec: { template: { spec: { volumes: { name: string }[] } } }
}

const itemsAt = async (sandbox: RunningSandbox, path: string): Promise<KubeBody[]> =>
  (await sandbox.call(path)).body.items

test('kill -9 while 50 VMs boot loses and tears nothing, and every VM comes up once', async () => {
  let sandbox = await startSandboxProcess(undefined, { pace: 0.3 })
  const { folder } = sandbox
  const uids = new Map<string, string>()
  for (let index = 0; index < machines; index += 1) {
    const { status, body } = await sandbox.call(machinesPath, {
      method: 'POST',
      body: machine(`vm-${index}`),
    })
    expect(status).toBe(201)
    uids.set(body.metadata.name, body.metadata.uid)
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    // Somewhere between the first instance and the last running one.
    await waitFor(
      async () => (await itemsAt(sandbox, podsPath)).length >= (machines * kill) / (kills + 1),
    )
    await sandbox.kill('SIGKILL')
    sandbox.close()
    sandbox = await startSandboxProcess(folder, { pace: 0.3 })
    const found = await itemsAt(sandbox, machinesPath)
    expect(new Map(found.map(({ metadata }) => [metadata.name, metadata.uid]))).toEqual(uids)
    // A VM's spec as it was sent: the type says what was posted above.
    for (const { spec } of found as Machine[])
      expect(spec.template.spec.volumes.map(({ name }) => name)).toEqual(['root'])
  }
  const phases = async (): Promise<unknown[]> =>
    (await itemsAt(sandbox, instancesPath)).map(
      ({ status }) => (status as { phase?: string } | undefined)?.phase,
    )
  await waitFor(
    async () => (await phases()).filter((phase) => phase === 'Running').length === machines,
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
