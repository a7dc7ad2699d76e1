import { component, object } from './json-schema.ts'

/** The response of an action that returns no object. */
export const success = component(
  { name: 'Success' },
  object({ success: { type: 'boolean', const: true } }),
)
