import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { authorizeSchema, requirementsOf } from '../../../server/src/edge/graphql/authorize.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { type Json } from '../../support/json.ts'

const resolve = (): number => 1
const int = { type: new GraphQLNonNull(GraphQLInt), resolve, subscribe: resolve as Json }
const declared = { ...int, extensions: { needs: ['any'] } }

interface SchemaParts {
  query?: object
  mutation?: object
  subscription?: object
  computed?: object
}

/** Returns a schema in which every field declares its permission, except for the given parts. */
function schemaWith({ query, mutation, subscription, computed }: SchemaParts): GraphQLSchema {
  const row = new GraphQLObjectType({
    name: 'Row',
    fields: { plain: { type: GraphQLInt }, computed: { ...declared, ...computed } as Json },
  })
  const root = (name: string, odd: object | undefined) =>
    new GraphQLObjectType({
      name,
      fields: { good: declared, odd: { ...declared, ...odd } as Json },
    })
  const queries = new GraphQLObjectType({
    name: 'Query',
    fields: {
      good: declared,
      row: { ...declared, type: row } as Json,
      odd: { ...declared, ...query } as Json,
    },
  })
  return new GraphQLSchema({
    query: queries,
    mutation: root('Mutation', mutation),
    subscription: root('Subscription', subscription),
  })
}

const nothing = { extensions: {} }

describe('declared permissions at startup', () => {
  test('the start succeeds when every field declares its permission', () => {
    expect(() => authorizeSchema(schemaWith({}))).not.toThrow()
  })

  test.each([
    [{ query: nothing }, 'Query.odd'],
    [{ mutation: nothing }, 'Mutation.odd'],
    [{ subscription: nothing }, 'Subscription.odd'],
    [{ computed: nothing }, 'Row.computed'],
    [{ query: { extensions: { needs: [] } } }, 'Query.odd'],
    [{ mutation: { extensions: { needs: ['vms:fly'] } } }, 'Mutation.odd'],
    [{ subscription: { extensions: { needs: 'any' } } }, 'Subscription.odd'],
    [{ computed: { extensions: { needs: ['any', 'nonsense'] } } }, 'Row.computed'],
  ] satisfies [SchemaParts, string][])('the start fails for %j and names %s', (parts, name) => {
    expect(() => authorizeSchema(schemaWith(parts))).toThrow(name)
  })
})

test('every root field of the schema declares a permission, and only login is public', () => {
  const schema = buildBerthSchema()
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const needs = roots.flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map(
      (field) => [`${type?.name}.${field.name}`, requirementsOf(field)] as const,
    ),
  )
  expect(needs.filter(([, requirements]) => requirements === null)).toEqual([])
  expect(
    needs.filter(([, requirements]) => requirements?.includes('public')).map(([name]) => name),
  ).toEqual(['Mutation.login'])
})
