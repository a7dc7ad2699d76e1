export const operation = {
  'operation.fixed': 'This operation cannot be cancelled; wait for it to end.',
  'operation.ended': 'This operation has ended already ({state}); there is nothing to cancel.',
  'operation.not_yours': 'You can view this operation, but cancelling it needs the permission {permission}, which you or your API key do not have; ask a user who has it to cancel it.',
  'operation.cancelled': 'A user cancelled the operation.',
  'operation.deadline': 'The operation made no progress until its deadline; check the object, and try again.',
  'operation.right_missing': 'Berth lacks the right to {verb} {resource} in the cluster; ask the operator to give it to the account of Berth.',
  'operation.component_missing': 'This waits for the operator: {reason}.',
  'operation.continues': 'Ask the operator. Berth continues by itself when this is fixed.',
  'operation.not_in_time': 'The platform gave up after several failed attempts; try again later, or ask the operator.',
} as const
