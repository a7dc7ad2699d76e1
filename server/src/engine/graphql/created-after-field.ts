/** The options of the field `createdAfter` in the filter input of every list. */
export const createdAfterField = {
  nullable: true,
  description: 'Only objects that were created after this time.',
} as const
