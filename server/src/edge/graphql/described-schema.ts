import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
} from 'graphql'
import { describeMutations, versionedTypes } from './described-mutations.ts'
import { describe, fieldsOf } from './description.ts'
import { nounOf, pluralOf } from './type-words.ts'

/*
 * Many parts of the schema mean the same for every noun: the input of a mutation, a page of a list,
 * the id of an object. Their descriptions follow from their names here. A description at the class
 * wins, so a part that means something else has its own. The contract test of descriptions lists
 * the parts that have neither.
 */

/** Adds the descriptions that follow from names to a schema. */
export function withUsualDescriptions(schema: GraphQLSchema): GraphQLSchema {
  describeRoots(schema)
  describeMutations(schema)
  for (const field of [schema.getQueryType(), schema.getSubscriptionType()].flatMap(fieldsOf))
    describeArguments(schema, field)
  const versioned = versionedTypes(schema)
  for (const type of Object.values(schema.getTypeMap())) {
    const list = listTypeOf(type)
    if (list) describeListType(type, list)
    if (isObjectType(type) && isNoun(schema, type)) describeNoun(type, versioned.has(type.name))
  }
  return schema
}

/** Describes the root types, which type-graphql builds without a class. */
function describeRoots(schema: GraphQLSchema): void {
  describe(schema.getQueryType(), 'Reads of the objects of a tenant and of the platform.')
  describe(
    schema.getMutationType(),
    'Changes of objects. When a change needs the cluster, its operation shows the progress.',
  )
  describe(schema.getSubscriptionType(), 'Streams of changes of objects, and of the log of a VM.')
}

/** A noun is a type that has lists, or that clients find by its id. */
const isNoun = (schema: GraphQLSchema, type: GraphQLNamedType): boolean =>
  type.name === 'Node' ||
  schema.getType(`${type.name}Connection`) !== undefined ||
  (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'))

function describeArguments(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): void {
  const result = getNamedType(field.type)
  for (const arg of field.args) {
    const list = listTypeOf(getNamedType(arg.type))
    if (list?.part === 'Filter')
      describe(arg, `Only ${pluralOf(list.of)} that meet these conditions.`)
    if (list?.part === 'Order') describe(arg, `The order of the ${pluralOf(list.of)}.`)
    if ((arg.name === 'id' || arg.name === 'name') && isNoun(schema, result))
      describe(arg, `The ${arg.name} of the ${nounOf(result.name)}.`)
  }
}

type ListPart = 'Connection' | 'Edge' | 'Filter' | 'Order' | 'Sort'

interface ListType {
  part: ListPart
  /** The name of the type of the entries. */
  of: string
}

/** Splits the name of a type that belongs to lists: `VmOrder` is the order of VMs. */
function listTypeOf({ name }: GraphQLNamedType): ListType | null {
  const part = listParts.find((suffix) => name.endsWith(suffix))
  return part ? { part, of: name.slice(0, -part.length) } : null
}

const listParts: readonly ListPart[] = ['Connection', 'Edge', 'Filter', 'Order', 'Sort']

const listTexts: Readonly<Record<ListPart, (typeName: string) => string>> = {
  Connection: (of) => `A page of a list of ${pluralOf(of)}.`,
  Edge: (of) => `One ${nounOf(of)} of a page, with its cursor.`,
  Filter: (of) => `The conditions for the ${pluralOf(of)} of a list. Each of them must be met.`,
  Order: (of) => `The order of a list of ${pluralOf(of)}.`,
  Sort: (of) => `The value by which a list of ${pluralOf(of)} is sorted.`,
}

function describeListType(type: GraphQLNamedType, { part, of }: ListType): void {
  describe(type, listTexts[part](of))
  if (part !== 'Sort' || !isEnumType(type)) return
  for (const value of type.getValues()) {
    const text = sortTexts[value.name]
    if (text) describe(value, text)
  }
}

const sortTexts: Readonly<Record<string, string>> = {
  at: 'Sorts by time.',
  cpu: 'Sorts by the number of vCPUs.',
  createdAt: 'Sorts by the time of creation.',
  default: 'Sorts the default entry first, then by name.',
  lastUsedAt: 'Sorts by the time of the last use.',
  memoryMi: 'Sorts by memory.',
  name: 'Sorts by name.',
  username: 'Sorts by name.',
}

function describeNoun(type: GraphQLObjectType, takesVersion: boolean): void {
  const noun = nounOf(type.name)
  const { id, name, tenantId, createdAt, updatedAt, version, refusals } = type.getFields()
  describe(id, `The id of the ${noun}. It never changes.`)
  describe(name, `The name of the ${noun}.`)
  describe(tenantId, `The tenant of the ${noun}.`)
  describe(createdAt, `When the ${noun} was created.`)
  describe(updatedAt, `When the ${noun} last changed.`)
  const grows = `Grows with each change of the ${noun}.`
  describe(version, takesVersion ? `${grows} Mutations take it as \`ifVersion\`.` : grows)
  describe(refusals, `Why actions on the ${noun} are refused now.`)
}
