import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const tenantOperations = {
  create_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Create the namespace' },
      { name: 'boundary', title: 'Set it apart from others' },
      { name: 'ready', title: 'Open the tenant' },
    ],
  },
  delete_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Remove the namespace' },
      { name: 'networks', title: 'Remove the networks' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
} as const satisfies Record<string, KindPlan>
