import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const volumeSnapshotOperations = {
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
} as const satisfies Record<string, KindPlan>
