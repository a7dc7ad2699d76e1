import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type Schema } from '../../../server/src/engine/rest/json-schema.ts'
import { queryTableOf } from '../../../server/src/engine/rest/request-query.ts'
import { type RestInput, type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { acceptedValues, fieldsWithoutEffect } from '../../support/requests/accepted-values.ts'
import { aWorld } from '../../support/world/world.ts'

/*
 * Sends each field and each query parameter of each route with wrong and empty values: other types,
 * zero, a negative number, an empty text or list, and null. A value is refused with the name of its
 * field, unless it is in the committed list of accepted values. The fields come from the table of
 * routes, so a new field is tested at once.
 */
let root: Client
beforeAll(async () => {
  root = (await aWorld({ worker: false })).root
})

/** A request is refused before its object is looked for, so the objects need not exist. */
const send = ({ method, path }: RestRoute, body: unknown, query = ''): Promise<WireAnswer> =>
  root.rest(
    method,
    `${path.replaceAll(/\{\w+\}/g, () => randomUUID())}${query}`,
    method === 'GET' ? {} : { body },
  )

const typesOf = ({ type }: Schema): readonly string[] => [type ?? 'object'].flat()

/** True when the schema allows the value, so that the OpenAPI document says what it means. */
function isAllowed(schema: Schema, value: unknown): boolean {
  const type = jsonTypeOf(value)
  return typesOf(schema).includes(type) && (limits[type]?.(schema, value) ?? true)
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}

const limits: Readonly<Record<string, (schema: Schema, value: Json) => boolean>> = {
  array: ({ minItems = 0 }, { length }) => length >= minItems,
  integer: ({ minimum = -Infinity }, value) => value >= minimum,
  string: ({ enum: words, minLength = 0 }, value) =>
    words ? words.includes(value) : value.length >= minLength,
}

const emptyValues = [0, -1, '', [], null]
const otherTypes = [{ wrong: true }, 'wrong type', true, 7, ['wrong type']]

interface NestedField {
  /** The path of the field, such as `rules[0].port_from`. */
  path: string
  schema: Schema
  bodyWith: (value: unknown) => Json
}

/** Returns the fields of a body, with those of the objects in its lists. */
const fieldsIn = ({ properties = {} }: Schema): NestedField[] =>
  Object.entries(properties).flatMap(([name, schema]) => [
    { path: name, schema, bodyWith: (value: unknown) => ({ [name]: value }) },
    ...fieldsIn(schema.items?.properties ? schema.items : {}).map((inner) => ({
      ...inner,
      path: `${name}[0].${inner.path}`,
      bodyWith: (value: unknown) => ({ [name]: [inner.bodyWith(value)] }),
    })),
  ])

const pathsIn = ({ body }: WireAnswer): string[] =>
  (body?.fields ?? []).map(({ path }: Json) => path)

async function expectRefused(answer: WireAnswer, path: string, value: unknown): Promise<void> {
  const isNamed = pathsIn(answer).some((each) => each.startsWith(path))
  expect([path, value, answer.status, isNamed]).toEqual([path, value, 400, true])
}

const nameOf = ({ method, path }: RestRoute): string => `${method} ${path}`
const named = (row: RestRoute): [string, RestRoute] => [nameOf(row), row]
const withBody = restRoutes.filter(({ request }) => request)
const parametersOf = (row: RestRoute): [string, Schema][] =>
  Object.entries(queryTableOf(row.query, { isPaged: row.pageOf !== undefined })).map(
    ([name, { schema }]) => [name, schema],
  )
const withQuery = restRoutes.filter((row) => parametersOf(row).length > 0)

describe('bodies', () => {
  test('the empty and negative values that bodies accept are the committed ones', () => {
    const accepted = withBody.flatMap((row) =>
      fieldsIn(row.request?.schema ?? {}).flatMap(({ path, schema }) => {
        const field = `${nameOf(row)} ${path}`
        const values = emptyValues.filter((value) => isAllowed(schema, value))
        return values.length === 0 || fieldsWithoutEffect.includes(field)
          ? []
          : [`${field}: ${values.map((value) => JSON.stringify(value)).join(' ')}`]
      }),
    )
    expect(accepted.sort()).toEqual([...acceptedValues].sort())
  })

  test.each(withBody.map(named))('%s refuses all other values of its fields', async (_, row) => {
    for (const { path, schema, bodyWith } of fieldsIn(row.request?.schema ?? {}))
      for (const value of [...emptyValues, ...otherTypes])
        if (!isAllowed(schema, value))
          await expectRefused(await send(row, bodyWith(value)), path, value)
  })

  test.each(restRoutes.filter(({ method }) => method !== 'GET').map(named))(
    '%s refuses a field that it does not have',
    async (_, row) => {
      await expectRefused(await send(row, { frobnicate: 1 }), 'frobnicate', 1)
      const lists = fieldsIn(row.request?.schema ?? {}).filter(
        ({ schema }) => schema.items?.properties,
      )
      for (const { path, bodyWith } of lists)
        await expectRefused(
          await send(row, bodyWith([{ frobnicate: 1 }])),
          `${path}[0].frobnicate`,
          1,
        )
    },
  )

  test('the fields that have no effect are the committed ones', () => {
    const ignored = withBody.flatMap((row) => {
      const names = row.request?.effective ?? []
      const fields = Object.keys(row.request?.schema.properties ?? {})
      return fields
        .filter((field) => !names.includes(field))
        .map((field) => `${nameOf(row)} ${field}`)
    })
    expect(ignored.sort()).toEqual([...fieldsWithoutEffect].sort())
  })

  test.each(withBody.map(named))('%s passes its whole body on', (_, row) => {
    const input = { ...emptyInput, body: { probe: 'the body' } }
    expect(JSON.stringify(row.input(input))).toContain('the body')
  })
})

const emptyInput: RestInput = {
  params: {},
  query: {},
  sent: {},
  body: {},
  lastEventId: null,
}

describe('queries', () => {
  test.each(restRoutes.map(named))(
    '%s refuses a parameter that it does not have',
    async (_, row) => {
      await expectRefused(await send(row, {}, '?frobnicate=1'), 'frobnicate', 1)
    },
  )

  test.each(withQuery.map(named))(
    '%s refuses all other values of its parameters',
    async (_, row) => {
      for (const [name, schema] of parametersOf(row))
        for (const text of ['wrong type', '0', '-1', '1.5', '']) {
          const item = schema.items ?? schema
          const isWhole = typesOf(item).includes('integer') && /^-?\d+$/.test(text)
          if (isAllowed(item, isWhole ? Number(text) : text)) continue
          const answer = await send(row, undefined, `?${name}=${encodeURIComponent(text)}`)
          await expectRefused(answer, name, text)
        }
    },
  )

  test.each(withQuery.map(named))('%s uses each of its parameters', (_, row) => {
    const without = JSON.stringify(row.input(emptyInput))
    for (const [name, schema] of parametersOf(row)) {
      const input = { ...emptyInput, query: { [name]: valueOf(schema) } }
      const isUsed =
        JSON.stringify(row.input(input)) !== without || row.stream?.isRequested(input) === true
      expect([name, isUsed]).toEqual([name, true])
    }
  })
})

/** Returns a value that a parameter accepts. */
function valueOf({ type, enum: words, items, minimum = 1 }: Schema): unknown {
  if (items) return [valueOf(items)]
  if (words) return words.at(-1)
  return { boolean: true, integer: minimum + 1, string: 'text' }[String(type)]
}
