import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vmSnapshotOperations = {
  create_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'snapshot', title: 'Ask the platform for the snapshot' },
      { name: 'ready', title: 'Wait until it can be used' },
    ],
  },
  delete_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'snapshot', title: 'Remove the snapshot' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  restore_vm: {
    deadlineMs: minutes(30),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'off', title: 'Wait until the machine is off' },
      { name: 'safety', title: 'Keep how it is now' },
      { name: 'disks', title: 'Ask for its disks as they were' },
      { name: 'restored', title: 'Wait until they are back' },
    ],
  },
} as const satisfies Record<string, KindPlan>
