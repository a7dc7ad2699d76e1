import { AnswerShape } from '../../../engine/rest/answer-shape.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import {
  type PageInfo,
  type RestRoute,
  patienceSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const phases = ['creating', 'ready', 'failed', 'lost', 'deleting'] as const

const vmSnapshot = new AnswerShape({
  id,
  tenant_id: id,
  vm_id: id,
  vm_name: text,
  name: text,
  namespace: text,
  phase: { schema: oneOf(...phases), from: 'state' },
  created_at: time,
})

const newSnapshot = new RequestBody({ vm_name: text, name: text })
const ending = new RequestBody({ name: text })
const restore = new RequestBody({ name: { schema: text, as: 'snapshotName' }, 'vm_name?': text })

export const vmSnapshotRoutes: RestRoute[] = [
  route<{ vmSnapshots: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vm-snapshots',
    summary: 'List the snapshots of VMs',
    tag: 'VM snapshots',
    run: `query ListVmSnapshots($first: Int, $after: String, $filter: VmSnapshotFilter, $orderBy: VmSnapshotOrder) {
      vmSnapshots(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${vmSnapshot.selection} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ vmSnapshots }) => ({ vm_snapshots: vmSnapshot.wireAll(vmSnapshots.nodes) }),
    pageOf: ({ vmSnapshots }) => vmSnapshots.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ vm_snapshots: list(vmSnapshot.schema) }),
  }),
  route<{ createVmSnapshot: { vmSnapshot: object; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots',
    summary:
      'Take a snapshot of a VM: its settings, and those of its disks whose storage takes snapshots',
    tag: 'VM snapshots',
    run: `mutation CreateVmSnapshot($input: CreateVmSnapshotInput!, $waitSeconds: Int) {
      createVmSnapshot(input: $input, waitSeconds: $waitSeconds) { vmSnapshot { ${vmSnapshot.selection} } ${jobFields} } }`,
    input: ({ body }) => ({
      // Older clients have no word for consent, and got a snapshot of whatever the storage could:
      // without it theirs would fail on most VMs.
      input: { ...newSnapshot.read(body), acceptMissing: true },
    }),
    output: ({ createVmSnapshot }) => ({
      vm_snapshot: vmSnapshot.wire(createVmSnapshot.vmSnapshot),
    }),
    later: { operationOf: ({ createVmSnapshot }) => createVmSnapshot.operation },
    status: 201,
    request: newSnapshot.schema,
    response: object({ vm_snapshot: vmSnapshot.schema }),
  }),
  route<{ deleteVmSnapshot: { operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/delete',
    summary: 'Delete a snapshot of a VM',
    tag: 'VM snapshots',
    run: `mutation DeleteVmSnapshot($input: DeleteVmSnapshotInput!, $waitSeconds: Int) {
      deleteVmSnapshot(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ body }) => ({ input: ending.read(body) }),
    output: () => ({ success: true }),
    later: { operationOf: ({ deleteVmSnapshot }) => deleteVmSnapshot.operation },
    patienceSeconds,
    status: 200,
    request: ending.schema,
    response: success,
  }),
  route<{ restoreVm: { operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/vm-snapshots/restore',
    summary:
      'Make a VM what it was in a snapshot: it is shut down first, and how it is now is kept in another snapshot',
    tag: 'VM snapshots',
    run: `mutation RestoreVm($input: RestoreVmInput!, $waitSeconds: Int) {
      restoreVm(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ body }) => ({
      // Older clients offer a restore whatever the VM does, and it was carried out once that was
      // off: nothing of theirs would stop it when this is refused.
      input: { ...restore.read(body), stop: true },
    }),
    names: restore.names,
    output: () => ({ success: true }),
    later: { operationOf: ({ restoreVm }) => restoreVm.operation },
    status: 200,
    request: restore.schema,
    response: success,
  }),
]
