import { type Component, type Schema } from '../json-schema.ts'

/** The facts of the GraphQL schema about a type or a field. */
export interface GraphqlFacts {
  description: string | null
  /** The value of an input field that is not set; undefined when it has none. */
  defaultValue?: unknown
}

/** Returns the facts about a GraphQL type, or about a field of it. */
export type GraphqlFactsOf = (type: string, field?: string) => GraphqlFacts

/** Returns the schema with the facts about the GraphQL types and fields that it stands for. */
export function withGraphqlFacts(schema: Schema, factsOf: GraphqlFactsOf): Schema {
  const { items, properties, required = [], component } = schema
  return {
    ...schema,
    ...(component && { component: describedComponent(component, factsOf) }),
    ...(items && { items: withGraphqlFacts(items, factsOf) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]): [string, Schema] => [
          name,
          propertyWithFacts(property, factsOf, { name, isRequired: required.includes(name) }),
        ]),
      ),
    }),
  }
}

function describedComponent(component: Component, factsOf: GraphqlFactsOf): Component {
  const { description, type } = component
  const found = description ?? (type === undefined ? null : factsOf(type).description)
  return found === null ? component : { ...component, description: inRestWords(found) }
}

interface Property {
  name: string
  isRequired: boolean
}

function propertyWithFacts(property: Schema, factsOf: GraphqlFactsOf, named: Property): Schema {
  const schema = withGraphqlFacts(property, factsOf)
  const [type = '', field] = property.describedBy?.split('.') ?? []
  const facts = field === undefined ? noFacts : factsOf(type, field)
  const words = [descriptionOf(schema, facts, named), schema.remark].filter(Boolean)
  const description = words.length === 0 ? undefined : words.join(' ')
  return {
    ...schema,
    ...(facts.defaultValue === undefined ? {} : { default: facts.defaultValue }),
    ...(description === undefined ? {} : { description }),
  }
}

/** Prefers the words of the row table, then those of the GraphQL field, then those of its type. */
function descriptionOf(
  { description, type, component, remark }: Schema,
  facts: GraphqlFacts,
  { name, isRequired }: Property,
): string | undefined {
  const mayBeNull = isRequired || [type].flat().includes('null')
  return (
    description ??
    restDescription(withoutEmptyText(facts.description, remark), mayBeNull) ??
    component?.description ??
    usualDescriptions[name]
  )
}

/** REST says itself what an empty text means, in the remark. */
const withoutEmptyText = (text: string | null, remark: string | undefined): string | null =>
  remark === undefined || text === null ? text : text.replace(/ An empty text [^.]*\./, '')

const noFacts: GraphqlFacts = { description: null }

/** The fields that mean the same in every object. */
const usualDescriptions: Readonly<Record<string, string>> = {
  id: 'The id. It never changes.',
  tenant_id: 'The tenant that owns the object.',
  name: 'The name.',
  created_at: 'When the object was created.',
  updated_at: 'When the object was last changed.',
}

/** An optional field is absent where GraphQL has null. */
function restDescription(text: string | null, mayBeNull: boolean): string | null {
  if (text === null) return null
  const words = inRestWords(text)
  return mayBeNull
    ? words
    : words.replaceAll(/\bnull\b/g, 'absent').replaceAll(/\bNull\b/g, 'Absent')
}

/** Returns the text with the names of fields as REST has them: `size_gi` for `sizeGi`. */
export const inRestWords = (text: string): string =>
  text.replaceAll(/`[a-z]+(?:[A-Z][a-z]*)+`/g, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
