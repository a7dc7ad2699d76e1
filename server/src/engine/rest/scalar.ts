import { type Schema } from './json-schema.ts'

/** The schemas of scalar values. */
export const scalar = {
  flag: { type: 'boolean' },
  id: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  time: { type: 'string', format: 'date-time' },
  whole: { type: 'integer' },
} as const satisfies Record<string, Schema>
