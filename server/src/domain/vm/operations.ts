import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vmOperations = {
  deploy_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: ['guard', 'settings', 'disk', 'machine', 'running'],
  },
  start_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'running'],
  },
  stop_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'stopped'],
  },
  restart_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'running'],
  },
  pause_vm: {
    deadlineMs: minutes(2),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'paused'],
  },
  resume_vm: {
    deadlineMs: minutes(2),
    cancellable: false,
    permission: 'vms:write',
    steps: ['machine', 'running'],
  },
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
