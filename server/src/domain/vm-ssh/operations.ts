import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vmSshOperations = {
  expose_vm_ssh: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'port', title: 'Open a port of the platform' },
      { name: 'address', title: 'Lead it to the machine' },
    ],
  },
  unexpose_vm_ssh: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'port', title: 'Give the port back' }],
  },
} as const satisfies Record<string, KindPlan>
