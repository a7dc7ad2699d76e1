import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'

/** The committed document, which `rows.test.ts` compares with the served one. */
const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'schema', 'rest.openapi.json'), 'utf8'),
)
const schemas: Record<string, Json> = document.components.schemas

interface Found {
  at: string
  schema: Json
}

/** Lists a schema and all schemas in it, but none that it refers to. */
function within(schema: Json, at: string): Found[] {
  const { properties = {}, items, anyOf = [] } = schema
  return [
    { at, schema },
    ...Object.entries<Json>(properties).flatMap(([name, child]) => within(child, `${at}.${name}`)),
    ...(items ? within(items, `${at}[]`) : []),
    ...anyOf.flatMap((choice: Json) => within(choice, at)),
  ]
}

/** Lists the schemas under the name `schema` in any part of the document. */
function schemasOf(value: unknown, at: string): Found[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    name === 'schema' ? within(child, at) : schemasOf(child, `${at} ${name}`),
  )
}

const inPaths = schemasOf(document.paths, '')
const inComponents = Object.entries(schemas).flatMap(([name, schema]) => within(schema, name))

test('objects of the document are named, so that generated clients have a type for each', () => {
  const named = new Set(Object.keys(schemas))
  const unnamed = [...inPaths, ...inComponents].filter(
    ({ at, schema }) => schema.properties !== undefined && !named.has(at),
  )
  expect(unnamed.map(({ at }) => at)).toEqual([])
})

test('schemas have the names of their nouns, and bodies the names of their operations', () => {
  const refOf = (content: Json): unknown => content.content['application/json'].schema.$ref
  const { get, post } = document.paths['/api/v1/vms']
  const to = (name: string): string => `#/components/schemas/${name}`
  expect(refOf(get.responses[200])).toBe(to('VmList'))
  expect(schemas['VmList']?.properties.vms.items.$ref).toBe(to('Vm'))
  expect(refOf(post.requestBody)).toBe(to('CreateVm'))
  expect(refOf(post.responses[202])).toBe(to('Accepted'))
  expect(schemas['Accepted']?.properties.operation.$ref).toBe(to('Operation'))
  expect(schemas['Vm']?.properties.nics.items.$ref).toBe(to('Nic'))
  expect(schemas['Vm']?.properties.explanation.$ref).toBe(to('VmExplanation'))
  for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/)
})

test('each reference of the document leads to a schema, and each schema is referred to', () => {
  const refs = [...inPaths, ...inComponents].flatMap(({ schema }) =>
    schema.$ref === undefined ? [] : [String(schema.$ref).replace('#/components/schemas/', '')],
  )
  expect([...new Set(refs)].sort()).toEqual(Object.keys(schemas))
})
