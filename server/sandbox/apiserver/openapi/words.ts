import { type JsonMap } from '../types.ts'

const text = (description: string): JsonMap => ({ type: 'string', description })
const texts = (description: string): JsonMap => ({ type: 'array', description, items: { type: 'string', default: '' } })
const textMap = (description: string): JsonMap => ({ type: 'object', description, additionalProperties: { type: 'string', default: '' } })
const count = (description: string): JsonMap => ({ type: 'integer', format: 'int64', description })
const time = (description: string): JsonMap => ({ type: 'string', format: 'date-time', description })
const flag = (description: string): JsonMap => ({ type: 'boolean', description })
const object = (description: string, properties: JsonMap, ...required: string[]): JsonMap => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 ? { required } : {}),
})

/** The words in which shared schemas are written. */
export const words = { text, texts, textMap, count, time, flag, object }
