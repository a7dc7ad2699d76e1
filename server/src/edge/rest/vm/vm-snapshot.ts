import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { camelCase } from '../../../engine/rest/field-table.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { type OperationRow, operationField } from '../../../engine/rest/operation-body.ts'
import { RequestBody, nameField, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute, defaultWaitSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'
import { explanationField } from '../explanation.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'
import { namespaceField } from '../namespace-field.ts'
import { maxNetworks, maxSecurityGroups } from '../vm-limits.ts'
import { vms } from './vm.ts'

const { flag, id, text, time, whole } = scalar

const phases = oneOf('creating', 'ready', 'failed', 'lost', 'deleting')

const disk = new ResponseShape('VmSnapshotDisk', {
  name: {
    ...text,
    description: 'The name of the volume; `root` and `iso` are disks of the VM itself.',
  },
  'volume_id?': id,
  size_gi: whole,
  included: flag,
  'reason?': {
    ...oneOf('forgets', 'storage_class', 'left_out'),
    description: 'Why the disk is not included.',
  },
})

const vmSnapshot = new ResponseShape<{ disks: object[] | null }>(
  'VmSnapshot',
  {
    id,
    tenant_id: id,
    vm_id: id,
    vm_name: text,
    name: text,
    namespace: text,
    'snapshot_uid?': { schema: text, from: 'clusterUid' },
    phase: { schema: phases, from: 'state' },
    'coverage?': {
      ...oneOf('all_disks', 'some_disks', 'settings_only'),
      description: 'Which disks the snapshot covers. Absent until it is taken.',
    },
    'consistency?': {
      ...oneOf('application', 'crash', 'powered_off'),
      description:
        'The guest flushed its file systems, the disks are as after a power failure, or the VM was off.',
    },
    'explanation?': explanationField,
    'disks?': listOf(disk),
    origin: oneOf('asked', 'safety', 'schedule'),
    'schedule_id?': id,
    'taken_at?': time,
    created_at: time,
  },
  (row) => {
    if (row.disks) disk.toWireAll(row.disks)
  },
)

const newSnapshot = new RequestBody({ vm_name: text, name: nameField(), ...namespaceField })
const deletion = new RequestBody({ name: text, ...namespaceField })
const restore = new RequestBody({
  name: { schema: { ...text, description: 'The name of the snapshot.' }, as: 'snapshotName' },
  'vm_name?': orBlank(text),
  'safety_snapshot?': {
    ...flag,
    description: '`true` by default: the current state is saved in another snapshot.',
  },
  ...namespaceField,
})

const snapshots = new NounRoutes({
  tag: 'VM snapshots',
  path: '/api/v1/vm-snapshots',
  type: 'VmSnapshot',
  shape: vmSnapshot,
})

const identityWith = (parts: readonly string[]): object =>
  Object.fromEntries(parts.map((part) => [camelCase(part), 'keep']))

const clone = new RequestBody({
  name: nameField('display_name'),
  'display_name?': text,
  'network_ids?': {
    ...list(id),
    minItems: 1,
    maxItems: maxNetworks,
    description: 'The new VM gets one NIC in each of these networks, in this order.',
  },
  'pod_network?': {
    ...flag,
    description: '`true` by default: the first NIC is on the cluster network.',
  },
  'public_ip?': flag,
  'security_group_ids?': {
    ...list(id),
    minItems: 1,
    maxItems: maxSecurityGroups,
    description: 'Without them, the VM gets the default group of the tenant.',
  },
  'keep?': {
    schema: {
      ...list(oneOf('mac', 'ip', 'hostname', 'machine_id', 'host_keys')),
      minItems: 1,
      description:
        'The parts of the identity of the VM that the clone keeps. The rest is renewed, so that two VMs never have the same identity.',
    },
    as: 'identity',
    // The schema allows only lists of texts.
    convert: (parts) => parts && identityWith(parts as readonly string[]),
  },
  'start?': { ...flag, description: '`true` by default.' },
})

export const vmSnapshotRoutes: RestRoute[] = [
  snapshots.list('List the snapshots of VMs', {
    filters: {
      ...usualFilters,
      ...stateFilter(phases),
      ...idFilter('vm_id', 'Only snapshots of this VM.'),
    },
  }),
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
  vms.create('Create a VM with the settings of a snapshot and copies of its disks', {
    mutation: 'CloneVmSnapshot',
    path: '/api/v1/vm-snapshots/{id}/clone',
    body: clone,
    startsOperation: true,
    input: ({ params, body }) => ({ input: { snapshotId: params['id'], ...body } }),
    names: { ...clone.names, snapshotId: 'id' },
  }),
  route<{ deleteVmSnapshot: { operation: OperationRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/delete',
    summary: 'Delete a snapshot of a VM',
    tag: 'VM snapshots',
    run: `mutation DeleteVmSnapshot($input: DeleteVmSnapshotInput!, $waitSeconds: Int) {
      deleteVmSnapshot(input: $input, waitSeconds: $waitSeconds) { ${operationField} } }`,
    input: ({ body }) => ({ input: body }),
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteVmSnapshot }) => deleteVmSnapshot.operation },
    defaultWaitSeconds,
    status: 200,
    request: deletion,
    response: success,
  }),
  route<{ restoreVm: { operation: OperationRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/restore',
    summary:
      'Restore a VM from a snapshot; the VM is stopped first, and its current state is saved in another snapshot',
    tag: 'VM snapshots',
    run: `mutation RestoreVm($input: RestoreVmInput!, $waitSeconds: Int) {
      restoreVm(input: $input, waitSeconds: $waitSeconds) { ${operationField} } }`,
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
