import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'

interface Part {
  at: string
  description?: string | null | undefined
}

/** Lists a type with its fields, their arguments and its enum values. */
function partsOf(type: GraphQLNamedType): Part[] {
  const own: Part = { at: type.name, description: type.description }
  if (isEnumType(type)) return [own, ...type.getValues().map(within(type.name))]
  if (isInputObjectType(type))
    return [own, ...Object.values(type.getFields()).map(within(type.name))]
  if (!isObjectType(type) && !isInterfaceType(type)) return [own]
  const fields = Object.values(type.getFields())
  return [
    own,
    ...fields.map(within(type.name)),
    ...fields.flatMap(({ name, args }) => args.map(within(`${type.name}.${name}`))),
  ]
}

const within =
  (owner: string) =>
  ({ name, description }: { name: string; description?: string | null | undefined }): Part => ({
    at: `${owner}.${name}`,
    description,
  })

test('every type, field, argument, input and enum value of the schema has a description', () => {
  const types = Object.values(buildBerthSchema().getTypeMap())
  const parts = types.filter(({ name }) => !name.startsWith('__')).flatMap(partsOf)
  expect(parts.length).toBeGreaterThan(1000)
  const missing = parts.filter(({ description }) => !description?.trim())
  expect(missing.map(({ at }) => at)).toEqual([])
})
