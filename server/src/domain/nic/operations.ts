import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const nicOperations = {
  attach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Tell the machine of the NIC' },
      { name: 'attached', title: 'Bring it to the guest that runs' },
    ],
  },
  detach_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Take the NIC from the machine' },
      { name: 'detached', title: 'Wait until the guest that runs has let go' },
    ],
  },
} as const satisfies Record<string, KindPlan>
