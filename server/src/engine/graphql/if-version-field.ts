/** The version on which a client bases its request, in the input of a mutation. */
export const ifVersionField = {
  nullable: true,
  description: 'Refuses the request when the current version is not this one.',
} as const
