import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on security groups, with their deadlines and steps. */
export const securityGroupOperations = {
  apply_security_group: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'security_groups:write',
    steps: ['vms'],
  },
} as const satisfies Record<string, OperationPlan>
