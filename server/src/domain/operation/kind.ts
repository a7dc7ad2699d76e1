import { type Permission } from '../identity/permission.ts'

interface StepPlan {
  readonly name: string
  readonly title: string
}

interface KindPlan {
  /** How long until the promise counts as broken (written into the row; configuration may replace it). */
  readonly deadlineMs: number
  readonly cancellable: boolean
  /** What whoever wants to cancel it must hold. */
  readonly permission: Permission
  /** In order; each name has a failpoint before and after. */
  readonly steps: readonly StepPlan[]
}

const minutes = (count: number): number => count * 60_000

/** The registry: every kind of operation with its deadline and its steps. */
export const operationKinds = {
  create_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Create the namespace' },
      { name: 'ready', title: 'Open the tenant' },
    ],
  },
  delete_tenant: {
    deadlineMs: minutes(10),
    cancellable: false,
    permission: 'tenants:write',
    steps: [
      { name: 'namespace', title: 'Remove the namespace' },
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
} as const satisfies Record<string, KindPlan>

export type OperationKind = keyof typeof operationKinds

/** The failpoint's name of a step: `create_tenant.namespace`. */
export function stepPoint(kind: OperationKind, step: string): string {
  return `${kind}.${step}`
}

/** Every failpoint that the steps of operations owe, of all kinds or of these. */
// Object.keys gives strings; the registry has no other keys than its kinds.
export function allStepPoints(kinds: readonly OperationKind[] = Object.keys(operationKinds) as OperationKind[]): string[] {
  return kinds.flatMap((kind) => operationKinds[kind].steps.map(({ name }) => stepPoint(kind, name)))
}
