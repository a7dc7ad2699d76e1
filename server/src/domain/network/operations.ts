import { type KindPlan, minutes } from '../operation/kind-plan.ts'

/** The operations on this noun, with their deadlines and steps. */
export const networkOperations = {
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
} as const satisfies Record<string, KindPlan>
