import { component, object } from './json-schema.ts'

/** The response of an action that returns no object. */
export const success = component(
  { name: 'Success', description: 'The response of an action that returns no object.' },
  object({
    success: {
      type: 'boolean',
      const: true,
      description: 'Always true: a refusal has a status of its own.',
    },
  }),
)
