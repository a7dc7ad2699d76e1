import { rowChanges } from '../change/row-changes.ts'
import { VmSnapshot } from './vm-snapshot-types.ts'

export const VmSnapshotChangesResolver = rowChanges({
  name: 'vmSnapshotChanged',
  type: () => VmSnapshot,
  needs: ['vms:read'],
  kind: 'vm_snapshot',
  noun: 'VM snapshot',
  description: 'Sends the snapshot now and after each change, until it is deleted.',
  read: (reads, id) => reads.vmSnapshots.find(id),
})
