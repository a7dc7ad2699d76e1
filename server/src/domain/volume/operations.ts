import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on volumes, with their deadlines and steps. */
export const volumeOperations = {
  create_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'volumes:write',
    steps: ['volume', 'ready'],
  },
  resize_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'volumes:write',
    steps: ['volume', 'grown'],
  },
  attach_volume: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm', 'attached'],
  },
  detach_volume: {
    deadlineMs: minutes(5),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['vm', 'detached'],
  },
  delete_volume: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'volumes:write',
    steps: ['volume', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
