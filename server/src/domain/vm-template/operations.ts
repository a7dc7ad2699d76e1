import { type OperationPlan, minutes } from '../operation/operation-plan.ts'

/** The operations on VM templates, with their deadlines and steps. */
export const vmTemplateOperations = {
  import_iso: {
    deadlineMs: minutes(60),
    cancellable: true,
    cancelPermission: 'vms:write',
    steps: ['volume', 'import', 'ready'],
  },
  delete_vm_template: {
    deadlineMs: minutes(10),
    cancellable: false,
    cancelPermission: 'vms:write',
    steps: ['volume', 'gone'],
  },
} as const satisfies Record<string, OperationPlan>
