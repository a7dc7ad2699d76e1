import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const securityGroupOperations = {
  apply_security_group: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'security_groups:write',
    steps: [{ name: 'vms', title: 'Tell the platform for every VM that has it' }],
  },
} as const satisfies Record<string, KindPlan>
