import { type JsonMap } from '../../objects/types.ts'

/* Builders for the schemas that the OpenAPI documents publish. Each takes the description first. */

export const text = (description: string): JsonMap => ({ type: 'string', description })
export const texts = (description: string): JsonMap => ({
  type: 'array',
  description,
  items: { type: 'string', default: '' },
})
export const textMap = (description: string): JsonMap => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string', default: '' },
})
export const count = (description: string): JsonMap => ({
  type: 'integer',
  format: 'int64',
  description,
})
export const time = (description: string): JsonMap => ({
  type: 'string',
  format: 'date-time',
  description,
})
export const flag = (description: string): JsonMap => ({ type: 'boolean', description })
export const object = (
  description: string,
  properties: JsonMap,
  ...required: string[]
): JsonMap => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 ? { required } : {}),
})
