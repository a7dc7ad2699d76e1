import { type KindPlan, minutes } from './kind-plan.ts'

/** What changes who may talk to machines. */
export const accessKinds = {
  set_vm_security_groups: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'guard', title: 'Tell the platform what is let through' }],
  },
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
  apply_security_group: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'security_groups:write',
    steps: [{ name: 'vms', title: 'Tell the platform for every VM that has it' }],
  },
} as const satisfies Record<string, KindPlan>
