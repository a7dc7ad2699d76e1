import {
  type GraphQLField,
  GraphQLInputObjectType,
  type GraphQLObjectType,
  Kind,
  getNamedType,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { type RestInput, type RestRoute } from '../../../server/src/engine/rest/route.ts'

/*
 * REST offers what GraphQL offers. Each list below names an exception with its reason, and a test
 * fails for an exception that is no longer needed.
 */
const schema = buildBerthSchema()

const queriesWithoutRow: Readonly<Record<string, string>> = {
  changeCursor: 'GET /events resumes after Last-Event-ID.',
  networkAddresses: 'The addresses are in the NICs of the VMs.',
  node: 'REST names an object by the path of its noun.',
  platform: 'It describes the login page of the console.',
  snapshotScheduleTimes: 'It is a preview in a form of the console.',
  vmEvents: 'REST names a VM by its name.',
  vm: 'REST names a VM by its name.',
}

/** An id that need not be set when the name of the same object is. */
const nameInsteadOf: Readonly<Record<string, string>> = {
  id: 'name',
  snapshotId: 'snapshotName',
  vmId: 'vmName',
}

const documentsOf = ({ run, stream }: RestRoute): string[] => [
  run,
  ...(stream?.run ? [stream.run] : []),
]

/** Returns the root fields that a route selects. */
const rootFieldsOf = (row: RestRoute): string[] =>
  documentsOf(row).flatMap((text) =>
    parse(text).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? definition.selectionSet.selections.flatMap((selection) =>
            selection.kind === Kind.FIELD ? [selection.name.value] : [],
          )
        : [],
    ),
  )

const rowsOf = (field: string): RestRoute[] =>
  restRoutes.filter((row) => rootFieldsOf(row).includes(field))

const fieldsOf = (type: GraphQLObjectType | null | undefined): GraphQLField<unknown, unknown>[] =>
  Object.values(type?.getFields() ?? {})

const withoutRow = (type: GraphQLObjectType | null | undefined): string[] =>
  fieldsOf(type)
    .map(({ name }) => name)
    .filter((name) => rowsOf(name).length === 0)

test('every mutation has a REST route', () => {
  expect(withoutRow(schema.getMutationType())).toEqual([])
})

test('every query has a REST route, but for the listed ones', () => {
  expect(withoutRow(schema.getQueryType())).toEqual(Object.keys(queriesWithoutRow))
})

const emptyInput: RestInput = {
  params: { name: 'a name', id: 'an id', network_id: 'an id', volume_id: 'an id' },
  query: {},
  sent: {},
  body: {},
  lastEventId: null,
}

/** Returns the fields of the input that the body, the path or the route itself sets. */
function fieldsSetBy(row: RestRoute): string[] {
  const { input = {} } = row.input(emptyInput) as { input?: object }
  return [
    ...Object.keys(row.request?.names ?? {}),
    ...Object.keys(input),
    ...(row.takesVersion ? ['ifVersion'] : []),
  ]
}

test('every field of the input of a mutation can be set over REST', () => {
  const missing = fieldsOf(schema.getMutationType()).flatMap(({ name, args }) => {
    const input = args.map(({ type }) => getNamedType(type)).find(isInputObject)
    const settable = rowsOf(name).flatMap(fieldsSetBy)
    return Object.keys(input?.getFields() ?? {})
      .filter(
        (field) => !settable.includes(field) && !settable.includes(nameInsteadOf[field] ?? ''),
      )
      .map((field) => `${name}.${field}`)
  })
  expect(missing).toEqual([])
})

const isInputObject = (type: object): type is GraphQLInputObjectType =>
  type instanceof GraphQLInputObjectType
