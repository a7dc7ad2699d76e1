import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on networks, with their deadlines and steps. */
export const networkOperations = {
  create_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'networks:write',
    steps: ['segment', 'attachment', 'ready'],
  },
  delete_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'networks:write',
    steps: ['attachment', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
