import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on NICs, with their deadlines and steps. */
export const nicOperations = {
  attach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['vm', 'attached'],
  },
  detach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['vm', 'detached'],
  },
} as const satisfies Record<string, OperationPlan>
