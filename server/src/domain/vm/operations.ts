import { type KindPlan, minutes } from '../operation/kind-plan.ts'
import { powerOperations } from './power-verbs.ts'

/** The operations on VMs, with their deadlines and steps. */
export const vmOperations = {
  deploy_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['guard', 'settings', 'disk', 'machine', 'running'],
  },
  ...powerOperations,
  resize_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine'],
  },
  eject_vm_iso: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine'],
  },
  delete_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'disk', 'gone'],
  },
  set_vm_security_groups: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['guard'],
  },
} as const satisfies Record<string, KindPlan>
