import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on SSH access, with their deadlines and steps. */
export const vmSshOperations = {
  expose_vm_ssh: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['port', 'address'],
  },
  unexpose_vm_ssh: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['port'],
  },
} as const satisfies Record<string, OperationPlan>
