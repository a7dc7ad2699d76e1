import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on volume snapshots, with their deadlines and steps. */
export const volumeSnapshotOperations = {
  create_volume_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'volumes:write',
    steps: ['snapshot', 'ready'],
  },
  delete_volume_snapshot: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'volumes:write',
    steps: ['snapshot', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
