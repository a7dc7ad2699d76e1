import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* Restores of VMs whose volumes CDI populated. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.05 })
})
afterAll(() => sandbox.stop())

const namespace = 'restores'
const pathOf = (apiVersion: string, plural: string, name = ''): string =>
  `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/namespaces/${namespace}/${plural}/${name}`

interface Kind {
  apiVersion: string
  kind: string
  plural: string
}
const kindOf = (apiVersion: string, kind: string): Kind => ({
  apiVersion,
  kind,
  plural: `${kind.toLowerCase()}s`,
})
const dataVolume = kindOf('cdi.kubevirt.io/v1beta1', 'DataVolume')
const volumeSnapshot = kindOf('snapshot.storage.k8s.io/v1', 'VolumeSnapshot')
const vm = kindOf('kubevirt.io/v1', 'VirtualMachine')
const vmSnapshot = kindOf('snapshot.kubevirt.io/v1beta1', 'VirtualMachineSnapshot')
const vmRestore = kindOf('snapshot.kubevirt.io/v1beta1', 'VirtualMachineRestore')

async function create({ apiVersion, kind, plural }: Kind, name: string, spec: object) {
  const body = { apiVersion, kind, metadata: { name }, spec }
  const { status, text } = await sandbox.call(pathOf(apiVersion, plural), { method: 'POST', body })
  expect(status, text).toBe(201)
}

async function statusOf(
  { apiVersion, plural }: Kind,
  name: string,
): Promise<Record<string, unknown>> {
  const { body } = await sandbox.call(pathOf(apiVersion, plural, name))
  // The cast holds for an object. The status of a missing one is the text `Failure`.
  return (typeof body.status === 'object' ? body.status : {}) as Record<string, unknown>
}

const until = (kind: Kind, name: string, [field, value]: [string, unknown]): Promise<void> =>
  waitFor(async () => (await statusOf(kind, name))[field] === value, {
    what: `${field} ${value} of ${kind.kind} ${name}`,
    timeoutMs: 15_000,
  })

const sourceOfVm = { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm-1' }

async function snapshotVm(name: string): Promise<void> {
  await create(vmSnapshot, name, { source: sourceOfVm })
  await until(vmSnapshot, name, ['readyToUse', true])
}

const diskFrom = (source: object): object => ({
  source,
  storage: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
})

/** Creates a stopped VM whose root disk is a volume made from a snapshot. */
async function vmFromSnapshot(): Promise<void> {
  await create(dataVolume, 'original', diskFrom({ blank: {} }))
  await until(dataVolume, 'original', ['phase', 'Succeeded'])
  await create(volumeSnapshot, 'copy', { source: { persistentVolumeClaimName: 'original' } })
  await until(volumeSnapshot, 'copy', ['readyToUse', true])
  await create(vm, 'vm-1', {
    runStrategy: 'Halted',
    dataVolumeTemplates: [
      {
        metadata: { name: 'vm-1-root' },
        spec: { source: { snapshot: { namespace, name: 'copy' } }, storage: {} },
      },
    ],
    template: {
      spec: {
        domain: { memory: { guest: '1Gi' }, devices: { disks: [{ name: 'root', disk: {} }] } },
        volumes: [{ name: 'root', dataVolume: { name: 'vm-1-root' } }],
      },
    },
  })
  await until(dataVolume, 'vm-1-root', ['phase', 'Succeeded'])
}

test('a VM with a volume made from a snapshot can be snapshotted after its restore', async () => {
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  })
  await vmFromSnapshot()
  await snapshotVm('before')
  await create(vmRestore, 'back', {
    target: sourceOfVm,
    virtualMachineSnapshotName: 'before',
    volumeRestorePolicy: 'InPlace',
  })
  await until(vmRestore, 'back', ['complete', true])
  expect(await statusOf(dataVolume, 'vm-1-root')).toMatchObject({ phase: 'Succeeded' })
  await snapshotVm('after')
})
