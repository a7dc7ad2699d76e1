import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on VM snapshots, with their deadlines and steps. */
export const vmSnapshotOperations = {
  create_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['snapshot', 'ready'],
  },
  delete_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['snapshot', 'gone'],
  },
  restore_vm: {
    deadlineMs: minutes(30),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['off', 'safety', 'disks', 'restored'],
  },
} as const satisfies Record<string, OperationPlan>
