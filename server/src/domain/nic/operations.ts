import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on NICs, with their deadlines and steps. */
export const nicOperations = {
  attach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'attached'],
  },
  detach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'detached'],
  },
} as const satisfies Record<string, KindPlan>
