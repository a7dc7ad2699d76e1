import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const volumeOperations = {
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
} as const satisfies Record<string, KindPlan>
