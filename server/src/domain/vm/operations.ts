import { type OperationPlan, minutes } from '../operation/operation-plan.ts'
import { powerOperations } from './power-verbs.ts'
import { type VmState } from './state.ts'

/** The operations on VMs, with their deadlines and steps. */
export const vmOperations = {
  deploy_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['firewall', 'settings', 'disk', 'vm', 'running'],
  },
  adopt_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['firewall', 'settings', 'disk', 'vm', 'observed'],
  },
  ...powerOperations,
  resize_vm: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm'],
  },
  eject_vm_iso: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm'],
  },
  resolve_vm_drift: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm'],
  },
  delete_vm: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm', 'disk', 'gone'],
  },
  set_vm_security_groups: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['firewall'],
  },
} as const satisfies Record<string, OperationPlan>

/** The operations that bring a VM under the control of Berth. */
export const beginnings = ['deploy_vm', 'adopt_vm'] as const

/**
 * Returns how much of the last step of a deploy is done, in per cent: disks first, then the start.
 */
export function deployPercent({
  state,
  diskProgress,
}: {
  state: VmState
  diskProgress: number | null
}): number {
  if (state === 'Starting') return 90
  return state === 'Provisioning' ? Math.round((diskProgress ?? 0) * 0.8) : 0
}
