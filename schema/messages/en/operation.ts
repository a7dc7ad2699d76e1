export const operation = {
  'operation.fixed': 'This operation cannot be cancelled; wait for it to end.',
  'operation.ended': 'This operation has ended already ({state}); there is nothing to cancel.',
  'operation.not_yours': 'You may look at this operation, but cancelling it needs the permission of who starts such operations.',
  'operation.cancelled': 'Cancelled on request',
  'operation.deadline': 'The deadline passed before the platform had finished; try again',
  'operation.not_in_time': 'The platform could not finish this in time; try again later.',
} as const
