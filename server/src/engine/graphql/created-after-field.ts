/** The filter of a list by the age of its objects. */
export const createdAfterField = {
  nullable: true,
  description: 'Only objects that were created after this time.',
} as const
