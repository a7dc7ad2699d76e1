import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on VPCs, with their deadlines and steps. */
export const vpcOperations = {
  create_vpc: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vpcs:write',
    steps: ['namespace', 'ready'],
  },
  delete_vpc: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vpcs:write',
    steps: ['namespace', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
