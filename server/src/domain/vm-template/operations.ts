import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const vmTemplateOperations = {
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
} as const satisfies Record<string, KindPlan>
