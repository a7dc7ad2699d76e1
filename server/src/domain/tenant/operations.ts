import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on tenants, with their deadlines and steps. */
export const tenantOperations = {
  create_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'tenants:write',
    steps: ['namespace', 'boundary', 'ready'],
  },
  delete_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'tenants:write',
    steps: ['namespace', 'networks', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
