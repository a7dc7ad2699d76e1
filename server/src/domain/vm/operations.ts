import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vmOperations = {
  deploy_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'guard', title: 'Close what its security groups do not open' },
      { name: 'settings', title: 'Write down the guest’s settings' },
      { name: 'disk', title: 'Make the disk' },
      { name: 'machine', title: 'Make the machine' },
      { name: 'running', title: 'Bring it to the wanted state' },
    ],
  },
  start_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Ask for the start' },
      { name: 'running', title: 'Wait until it runs' },
    ],
  },
  stop_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Ask for the shutdown' },
      { name: 'stopped', title: 'Wait until it is off' },
    ],
  },
  restart_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Ask for the restart' },
      { name: 'running', title: 'Wait until it runs again' },
    ],
  },
  pause_vm: {
    deadlineMs: minutes(2),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Ask for the pause' },
      { name: 'paused', title: 'Wait until it stands still' },
    ],
  },
  resume_vm: {
    deadlineMs: minutes(2),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Ask it to go on' },
      { name: 'running', title: 'Wait until it goes on' },
    ],
  },
  resize_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'machine', title: 'Tell the platform the new size' }],
  },
  eject_vm_iso: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'machine', title: 'Take the ISO from the machine' }],
  },
  delete_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Remove the machine' },
      { name: 'disk', title: 'Remove its disk' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  set_vm_security_groups: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'guard', title: 'Tell the platform what is let through' }],
  },
} as const satisfies Record<string, KindPlan>
