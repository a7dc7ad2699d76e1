import { accessKinds } from './access-kinds.ts'
import { type KindPlan, minutes } from './kind-plan.ts'

/** The registry: every kind of operation with its deadline and its steps. */
export const operationKinds = {
  create_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Create the namespace' },
      { name: 'boundary', title: 'Set it apart from others' },
      { name: 'ready', title: 'Open the tenant' },
    ],
  },
  delete_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Remove the namespace' },
      { name: 'networks', title: 'Remove the networks' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  import_iso: {
    deadlineMs: minutes(60),
    cancellable: true,
    permission: 'vms:write',
    steps: [
      { name: 'volume', title: 'Make the volume' },
      { name: 'import', title: 'Import the image' },
      { name: 'ready', title: 'Open the template' },
    ],
  },
  delete_vm_template: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'volume', title: 'Remove the volume' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
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
  eject_vm_iso: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [{ name: 'machine', title: 'Take the ISO from the machine' }],
  },
  ...accessKinds,
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
  create_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'networks:write',
    steps: [
      { name: 'segment', title: 'Give it a segment of its own' },
      { name: 'attachment', title: 'Make the attachment' },
      { name: 'ready', title: 'Open the network' },
    ],
  },
  delete_network: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'networks:write',
    steps: [
      { name: 'attachment', title: 'Remove the attachment' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  create_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'volumes:write',
    steps: [
      { name: 'volume', title: 'Make the volume' },
      { name: 'ready', title: 'Wait until it can be used' },
    ],
  },
  resize_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'volumes:write',
    steps: [
      { name: 'volume', title: 'Ask the storage for more room' },
      { name: 'grown', title: 'Wait until it has grown' },
    ],
  },
  attach_volume: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Tell the machine of the disk' },
      { name: 'attached', title: 'Wait until the guest has it' },
    ],
  },
  detach_volume: {
    deadlineMs: minutes(5),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'machine', title: 'Take the disk from the machine' },
      { name: 'detached', title: 'Wait until the guest has let go' },
    ],
  },
  delete_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'volumes:write',
    steps: [
      { name: 'volume', title: 'Remove the volume' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  create_volume_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'volumes:write',
    steps: [
      { name: 'snapshot', title: 'Ask the storage for the snapshot' },
      { name: 'ready', title: 'Wait until it can be used' },
    ],
  },
  delete_volume_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'volumes:write',
    steps: [
      { name: 'snapshot', title: 'Remove the snapshot' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  create_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'snapshot', title: 'Ask the platform for the snapshot' },
      { name: 'ready', title: 'Wait until it can be used' },
    ],
  },
  delete_vm_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'snapshot', title: 'Remove the snapshot' },
      { name: 'gone', title: 'Confirm that nothing is left' },
    ],
  },
  restore_vm: {
    deadlineMs: minutes(30),
    cancellable: false,
    permission: 'vms:write',
    steps: [
      { name: 'off', title: 'Wait until the machine is off' },
      { name: 'safety', title: 'Keep how it is now' },
      { name: 'disks', title: 'Ask for its disks as they were' },
      { name: 'restored', title: 'Wait until they are back' },
    ],
  },
} as const satisfies Record<string, KindPlan>

export type OperationKind = keyof typeof operationKinds

/** The failpoint's name of a step: `create_tenant.namespace`. */
export function stepPoint(kind: OperationKind, step: string): string {
  return `${kind}.${step}`
}

/** Every failpoint that the steps of operations owe, of all kinds or of these. */
// Object.keys gives strings; the registry has no other keys than its kinds.
export function allStepPoints(
  kinds: readonly OperationKind[] = Object.keys(operationKinds) as OperationKind[],
): string[] {
  return kinds.flatMap((kind) =>
    operationKinds[kind].steps.map(({ name }) => stepPoint(kind, name)),
  )
}
