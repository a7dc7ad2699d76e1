import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vpcOperations = {
  create_vpc: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vpcs:write',
    steps: [
      { name: 'namespace', title: 'Make room for its networks' },
      { name: 'ready', title: 'Open the VPC' },
    ],
  },
  delete_vpc: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vpcs:write',
    steps: [
      { name: 'namespace', title: 'Remove what is left of its networks' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
} as const satisfies Record<string, KindPlan>
