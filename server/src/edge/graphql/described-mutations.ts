import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNullableType,
  isObjectType,
} from 'graphql'
import { describe, fieldsOf } from './description.ts'
import { nounOf } from './type-words.ts'

/** Describes the input and the result of each mutation, and the fields that many of them have. */
export function describeMutations(schema: GraphQLSchema): void {
  for (const mutation of fieldsOf(schema.getMutationType())) {
    const { input, payload } = typesOf(mutation)
    if (input) describeInput(mutation, input)
    if (payload) describePayload(mutation, payload)
  }
}

/** Returns the names of the types that a mutation with `ifVersion` changes. */
export function versionedTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const versioned = fieldsOf(schema.getMutationType()).filter(
    (mutation) => typesOf(mutation).input?.getFields()['ifVersion'],
  )
  return new Set(versioned.flatMap((mutation) => changedBy(mutation)?.typeName ?? []))
}

type OutputField = GraphQLField<unknown, unknown>

interface MutationTypes {
  input: GraphQLInputObjectType | null
  payload: GraphQLObjectType | null
}

/** Returns the types that are named after the mutation, so that no other mutation has them. */
function typesOf({ name, args, type }: OutputField): MutationTypes {
  const stem = upperFirst(name)
  const input = args.map((arg) => getNamedType(arg.type)).find(isInputObjectType)
  const payload = getNamedType(type)
  return {
    input: input?.name === `${stem}Input` ? input : null,
    payload: isObjectType(payload) && payload.name === `${stem}Payload` ? payload : null,
  }
}

interface ChangedObject {
  field: OutputField
  typeName: string
}

/** Returns the field of the payload that is named after its type: the object that changes. */
function changedBy(mutation: OutputField): ChangedObject | null {
  const objects = fieldsOf(typesOf(mutation).payload).map((field) => ({
    field,
    typeName: getNamedType(field.type).name,
  }))
  const isChanged = ({ field: { name }, typeName }: ChangedObject) =>
    name !== 'operation' && upperFirst(name) === typeName
  return objects.find(isChanged) ?? null
}

function describeInput(mutation: OutputField, input: GraphQLInputObjectType): void {
  const text = `The input of \`${mutation.name}\`.`
  const argument = mutation.args.find(({ type }) => getNamedType(type) === input)
  describe(input, text)
  describe(argument, text)
  const changed = changedBy(mutation)
  if (!changed) return
  const noun = nounOf(changed.typeName)
  const { id, name } = input.getFields()
  describe(id, `The id of the ${noun}.`)
  describe(name, id ? `The new name of the ${noun}.` : `The name of the ${noun}.`)
}

function describePayload(mutation: OutputField, payload: GraphQLObjectType): void {
  describe(payload, `The result of \`${mutation.name}\`.`)
  const changed = changedBy(mutation)
  if (changed) describe(changed.field, changedText(mutation.name, nounOf(changed.typeName)))
  const { operation } = payload.getFields()
  if (operation) describe(operation, operationText(operation))
}

function changedText(mutation: string, noun: string): string {
  if (/^(clone|create|register)[A-Z]/.test(mutation)) return `The new ${noun}.`
  return /^delete[A-Z]/.test(mutation)
    ? `The ${noun} that the request deletes.`
    : `The ${noun} after the change.`
}

const operationText = ({ type }: OutputField): string =>
  isNullableType(type)
    ? 'The operation of the change. Null when the change needs nothing from the cluster.'
    : 'The operation of the change.'

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
