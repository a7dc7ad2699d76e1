import { type Schema } from './json-schema.ts'

/**
 * The schemas of single values in requests and responses of the REST interface, for its OpenAPI
 * document.
 */
export const scalar = {
  flag: { type: 'boolean' },
  id: { type: 'string', format: 'uuid' },
  number: { type: 'number' },
  text: { type: 'string' },
  time: { type: 'string', format: 'date-time' },
  whole: { type: 'integer' },
} as const satisfies Record<string, Schema>
