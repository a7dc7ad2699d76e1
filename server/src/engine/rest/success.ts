import { object } from './shapes.ts'

/** Of what has nothing more to say. */
export const success = object({ success: { type: 'boolean', const: true } })
