import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { RequestBody, nameField, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute, defaultWaitSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'
import { namespaceField } from '../namespace-field.ts'

const { id, text, time } = scalar

const phases = ['creating', 'ready', 'failed', 'lost', 'deleting'] as const

const vmSnapshot = new ResponseShape({
  id,
  tenant_id: id,
  vm_id: id,
  vm_name: text,
  name: text,
  namespace: text,
  'snapshot_uid?': { schema: text, from: 'clusterUid' },
  phase: { schema: oneOf(...phases), from: 'state' },
  created_at: time,
})

const newSnapshot = new RequestBody({ vm_name: text, name: nameField(), ...namespaceField })
const deletion = new RequestBody({ name: text, ...namespaceField })
const restore = new RequestBody({
  name: { schema: text, as: 'snapshotName' },
  'vm_name?': orBlank(text),
  ...namespaceField,
})

const snapshots = new NounRoutes({
  tag: 'VM snapshots',
  path: '/api/v1/vm-snapshots',
  type: 'VmSnapshot',
  shape: vmSnapshot,
})

export const vmSnapshotRoutes: RestRoute[] = [
  snapshots.list('List the snapshots of VMs'),
  snapshots.get('Get a snapshot of a VM'),
  snapshots.create(
    'Take a snapshot of a VM: its settings, and the disks whose storage supports snapshots',
    {
      body: newSnapshot,
      startsOperation: true,
      // Older clients cannot consent to missing disks and expect a snapshot of the disks that the
      // storage supports. Without this flag their snapshots would fail on most VMs.
      input: ({ body }) => ({ input: { ...body, acceptMissing: true } }),
    },
  ),
  route<{ deleteVmSnapshot: { operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/delete',
    summary: 'Delete a snapshot of a VM',
    tag: 'VM snapshots',
    run: `mutation DeleteVmSnapshot($input: DeleteVmSnapshotInput!, $waitSeconds: Int) {
      deleteVmSnapshot(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteVmSnapshot }) => deleteVmSnapshot.operation },
    defaultWaitSeconds,
    status: 200,
    request: deletion,
    response: success,
  }),
  route<{ restoreVm: { operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/restore',
    summary:
      'Restore a VM from a snapshot; the VM is stopped first, and its current state is saved in another snapshot',
    tag: 'VM snapshots',
    run: `mutation RestoreVm($input: RestoreVmInput!, $waitSeconds: Int) {
      restoreVm(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ body }) => ({
      // Older clients offer a restore in every state of a VM, and expect the VM to be stopped. They
      // could not stop it themselves when this were refused.
      input: { ...body, stop: true },
    }),
    output: () => ({ success: true }),
    accepted: { operationOf: ({ restoreVm }) => restoreVm.operation },
    status: 200,
    request: restore,
    response: success,
  }),
]
