export const operation = {
  'operation.fixed': 'This operation cannot be cancelled; wait for it to end.',
  'operation.ended': 'This operation has ended already ({state}); there is nothing to cancel.',
  'operation.not_yours':
    'You can view this operation, but to cancel it you need the permission that starting it needs.',
  'operation.cancelled': 'Cancelled on request',
  'operation.deadline': 'There was no progress until the deadline; try again.',
  'operation.not_in_time': 'The platform could not finish this in time; try again later.',
} as const
