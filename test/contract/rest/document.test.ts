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

test('every operation, parameter, header, schema and property has a description', () => {
  // A remark on absent values does not say yet what the field is.
  const remarks =
    /(An empty \w+|Zero|`null`)( or `null`)? counts as not given\.|`null` removes it\./g
  const described = (value: Json): boolean =>
    String(value.description ?? '')
      .replaceAll(remarks, '')
      .trim() !== ''
  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      at: `${method} ${path}`,
      operation,
    })),
  )
  const parts = operations.flatMap(({ at, operation }) => [
    { at, value: operation },
    ...operation.parameters.map((value: Json) => ({ at: `${at} ${value.name}`, value })),
    ...Object.entries<Json>(operation.responses).flatMap(([status, response]) => [
      { at: `${at} ${status}`, value: response },
      ...Object.entries<Json>(response.headers ?? {}).map(([name, value]) => ({
        at: `${at} ${status} ${name}`,
        value,
      })),
    ]),
  ])
  const fields = Object.entries(schemas).flatMap(([name, schema]) => [
    { at: name, value: schema },
    ...Object.entries<Json>(schema.properties).map(([field, value]) => ({
      at: `${name}.${field}`,
      value,
    })),
  ])
  expect([...parts, ...fields].flatMap(({ at, value }) => (described(value) ? [] : [at]))).toEqual(
    [],
  )
})

test('a body shows the limits and the defaults of its fields', () => {
  expect(schemas['CreateVm']?.properties).toMatchObject({
    name: { maxLength: 50, pattern: expect.stringContaining('a-z0-9') },
    cpu: { minimum: 0, maximum: 1024 },
    boot_disk_size_gi: { minimum: 1, maximum: 2 ** 31 - 1 },
    start: { default: true },
    root_disk: { enum: ['persistent', 'ephemeral'] },
    tags: { maxItems: 50 },
    ssh_key_ids: { maxItems: 100 },
  })
  expect(schemas['SecurityGroupRuleInput']?.properties.direction.default).toBe('ingress')
  expect(schemas['CreateSnapshotSchedule']?.properties.keep).toMatchObject({
    minimum: 1,
    maximum: 100,
  })
})

test('each operation names its permission, its credentials and its refusals', () => {
  const { paths } = document
  const codesOf = (operation: Json): string[] =>
    Object.values<Json>(operation.responses).flatMap((response) => response['x-codes'] ?? [])
  const login = paths['/api/v1/auth/login'].post
  expect([login.security, login['x-permission'], login.description]).toEqual([
    [],
    undefined,
    expect.stringContaining('needs no login'),
  ])
  expect(codesOf(login)).toContain('invalid_credentials')
  expect(codesOf(login)).not.toContain('forbidden')
  const list = paths['/api/v1/vms'].get
  expect([list.security, list['x-permission'], list.description]).toEqual([
    [{ bearer: [] }, { apiKey: [] }],
    ['vms:read'],
    expect.stringContaining('`vms:read`'),
  ])
  expect(Object.keys(list.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '406',
    '429',
    '500',
    '503',
  ])
  const update = paths['/api/v1/vms/{name}'].patch
  expect(update['x-permission']).toEqual(['vms:write'])
  expect(codesOf(update)).toContain('version_conflict')
  expect(codesOf(paths['/api/v1/vms'].post)).toContain('quota_exceeded')
  expect(codesOf(paths['/api/v1/vms'].post)).not.toContain('version_conflict')
})
