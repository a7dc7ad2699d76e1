import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations that attach a VM to a network by a NIC, or detach it. */
export const nicOperations = {
  attach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm', 'attached'],
  },
  detach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm', 'detached'],
  },
} as const satisfies Record<string, OperationPlan>
