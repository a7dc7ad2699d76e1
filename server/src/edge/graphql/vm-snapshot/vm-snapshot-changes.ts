import { rowChanges } from '../change/row-changes.ts'
import { VmSnapshot } from './vm-snapshot-types.ts'

export const VmSnapshotChangesResolver = rowChanges({
  name: 'vmSnapshotChanged',
  type: () => VmSnapshot,
  needs: ['vms:read'],
  kind: 'vm_snapshot',
  noun: 'VM snapshot',
  description: 'The snapshot as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.vmSnapshots.find(id),
})
