import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  type RouteFixture,
  type FixtureContext,
  fixtureOf,
  routeFixtures,
} from '../../support/requests/request-fixtures.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { once } from '../../support/once.ts'
import { referred, violations } from '../../support/requests/json-schema.ts'
import {
  committedExample,
  isRecording,
  record,
  writeExamples,
} from '../../support/requests/route-examples.ts'
import { aWorld } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let context: FixtureContext
/** The committed document. The one built from the routes cannot check its own answers. */
const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'schema', 'rest.openapi.json'), 'utf8'),
)
const refused = new Map<string, Client>()

beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  const tenant = await world.tenant('acme')
  context = { world, tenant }
  refused.set('admin', tenant.admin)
  for (const role of ['operator', 'viewer'] as const) refused.set(role, await tenant.as(role))
})

afterAll(() => {
  if (isRecording) writeExamples()
})

const rows = Object.entries(routeFixtures)
const responseOf = (row: string, status: number): Json => {
  const [method = '', path = ''] = row.split(' ')
  return document.paths[path]?.[method.toLowerCase()]?.responses[status]
}
const schemaOf = (row: string, status: number, type = 'application/json'): Json =>
  responseOf(row, status)?.content?.[type]?.schema

const keysOf = (value: unknown, at = ''): string[] => {
  if (Array.isArray(value)) return keysOf(value[0], at)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    `${at}${key}`,
    ...keysOf(child, `${at}${key}.`),
  ])
}

/** Returns the fields that every answer must have. Lists in the tests have at least one element. */
function requiredKeys(schema: Json, at = ''): string[] {
  const { items, properties = {}, required = [] }: Json = referred(schema, document)
  if (items) return requiredKeys(items, at)
  return required.flatMap((name: string) => {
    const child = properties[name]
    const isNullable = child.anyOf !== undefined || [child.type].flat().includes('null')
    return [`${at}${name}`, ...(isNullable ? [] : requiredKeys(child, `${at}${name}.`))]
  })
}

/** Lists how a body differs from its documented schema. An unknown field differs too. */
const departures = (schema: Json, body: unknown, shows: readonly string[] = []): string[] => {
  const shown = keysOf(body)
  return [
    ...[...requiredKeys(schema), ...shows]
      .filter((key) => !shown.includes(key))
      .map((key) => `${key}: missing`),
    ...violations(schema, body, { document }),
  ]
}

const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`).test(
    path,
  )

function expectProblem(row: string, { status, headers, body }: WireAnswer, code: string): void {
  expect({ type: headers['content-type'], status: body.status, code: body.code }).toEqual({
    type: 'application/problem+json',
    status,
    code,
  })
  expect(responseOf(row, status)?.['x-codes']).toContain(code)
  expect(body.error).toBe(body.detail)
  expect(body.request_id).toBe(headers['x-request-id'])
  expect(
    violations(
      schemaOf(row, status, 'application/problem+json') ?? {
        required: [`no schema for ${status}`],
        properties: {},
      },
      body,
      {
        document,
      },
    ),
  ).toEqual([])
}

test('every REST route has a fixture here and an entry in the OpenAPI document', async () => {
  const table = restRoutes.map(({ method, path }) => `${method} ${path}`).sort()
  expect(Object.keys(routeFixtures).sort()).toEqual(table)
  const documented = Object.entries(document.paths).flatMap(([path, methods]: [string, Json]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.sort()).toEqual(table)
  expect((await context.world.anonymous.rest('GET', '/openapi.json')).body).toEqual(document)
})

describe.each(rows)('%s', (row, fixture: RouteFixture) => {
  const method = fixtureOf.method(row)
  const request = restRoutes.find((route) => `${route.method} ${route.path}` === row)?.request
  const arranged = async () => {
    const sample = await fixture.arrange(context)
    // The next arrangement may replace the caller of a fixture that ends its own login.
    const caller = fixtureOf.caller(fixture, context)
    const send = (
      client: Client,
      body: unknown = sample.body,
      path = sample.path,
    ): Promise<WireAnswer> => client.rest(method, path, body === undefined ? {} : { body })
    return { sample, caller, send }
  }
  // A read and a refused request change nothing, so all of them use one arrangement.
  const unchanged = once(arranged)
  const success = once(async () => {
    const { sample, caller, send } = await (method === 'GET' ? unchanged() : arranged())
    return { sample, caller, answer: await send(caller) }
  })

  test('the route answers with its documented status, fields and schema', async () => {
    const { sample, answer } = await success()
    expect([answer.status, answer.text]).toEqual([fixture.status, expect.any(String)])
    if (fixture.status === 204) return expect(answer.text).toBe('')
    if (fixture.media)
      return expect([answer.headers['content-type'], answer.text]).toEqual([
        `${fixture.media}; charset=utf-8`,
        expect.stringContaining('\n'),
      ])
    expect(answer.headers['content-type']).toBe('application/json')
    expect(departures(schemaOf(row, fixture.status), answer.body, sample.shows)).toEqual([])
  })

  test('the example in the document has the fields of the request and of its answer', async () => {
    const { sample, answer } = await success()
    const staleness = (): string[] => {
      const example = committedExample(row)
      if (!example) return ['it is missing']
      const { [method.toLowerCase()]: operation } = document.paths[row.split(' ')[1] ?? '']
      const { schema: body } = operation.requestBody?.content['application/json'] ?? {}
      const answered = schemaOf(row, fixture.status)
      return [
        ...(fits(row.split(' ')[1] ?? '', example.path.replace('/api/v1', ''))
          ? []
          : [`${example.path} is another path`]),
        ...(body && sample.body ? departures(body, example.request, keysOf(sample.body)) : []),
        ...(answered ? departures(answered, example.response, sample.shows) : []),
      ]
    }
    if (isRecording && staleness().length > 0) record(row, sample, answer)
    expect(
      staleness(),
      'record it: BERTH_TEST_RECORD=1 npm test -- test/contract/rest/rows.test.ts',
    ).toEqual([])
  })

  test.runIf(fixture.by !== 'anyone')(
    'the route is refused without a login and without the permission',
    async () => {
      const { send } = await unchanged()
      const unauthenticated = await send(context.world.anonymous)
      expect(unauthenticated.status).toBe(401)
      expect(unauthenticated.headers['www-authenticate']).toBe('Bearer')
      expectProblem(row, unauthenticated, 'unauthenticated')
      expect((await send(context.world.wire.client('not-a-token'))).status).toBe(401)
      if (fixture.refused) {
        const answer = await send(refused.get(fixture.refused)!)
        expect(answer.status).toBe(403)
        expectProblem(row, answer, 'forbidden')
      }
    },
  )

  test('the path refuses every other method and lists the allowed methods', async () => {
    const { sample } = await unchanged()
    const known = rows
      .map(([name]) => name.split(' '))
      .flatMap(([name = '', pattern = '']) => (fits(pattern, sample.path) ? [name] : []))
    const allowed = [
      ...new Set([...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS']),
    ].sort()
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (name) => !known.includes(name),
    )) {
      const answer = await context.world.root.rest(other, sample.path)
      expect([other, answer.status, answer.body.code]).toEqual([other, 405, 'method_not_allowed'])
      expect(String(answer.headers.allow).split(', ').sort()).toEqual(allowed)
    }
    const options = await context.world.anonymous.rest('OPTIONS', sample.path)
    expect([options.status, options.text]).toEqual([204, ''])
    expect(String(options.headers.allow).split(', ').sort()).toEqual(allowed)
  })

  test.runIf(method === 'GET')('HEAD answers as GET does, without a body', async () => {
    const { sample, caller } = await unchanged()
    const head = await caller.rest('HEAD', sample.path)
    expect([head.status, head.text]).toEqual([fixture.status, ''])
    expect(String(head.headers['content-type'])).toContain(fixture.media ?? 'application/json')
    const refused = await context.world.anonymous.rest('HEAD', sample.path)
    expect([refused.status, refused.text]).toEqual([401, ''])
  })

  test.runIf(fixture.status === 201)('Location names the object that was created', async () => {
    const { sample, caller, answer } = await success()
    // A ticket is used once and cannot be read.
    if (sample.path.endsWith('-ticket')) return expect(answer.headers.location).toBeUndefined()
    const [object] = Object.values<Json>(answer.body)
    const location = String(answer.headers.location)
    expect([object.id, object.name]).toContain(location.split('/').at(-1))
    const options = await context.world.anonymous.rest('OPTIONS', location)
    expect(options.status).toBe(204)
    if (String(options.headers.allow).includes('GET')) {
      const read = await caller.rest('GET', location)
      expect([read.status, Object.values<Json>(read.body)[0]?.id]).toEqual([200, object.id])
    }
  })

  test.runIf(row.includes('{'))(
    'the route answers 404 with "not found" for absent and malformed names',
    async () => {
      const { sample, caller, send } = await unchanged()
      for (const path of [
        fixtureOf.absent(row, sample.path),
        ...['nonsense', '..%2F..'].map((other) => fixtureOf.naming(row, sample.path, other)),
      ]) {
        const answer = await send(caller, sample.body, path)
        expect([path, answer.status]).toEqual([path, 404])
        expect(answer.body.error).toContain('not found')
        expectProblem(row, answer, 'not_found')
      }
    },
  )

  test.runIf(request !== undefined)(
    'the route refuses bodies that are not objects, and unknown fields',
    async () => {
      const { sample, caller, send } = await unchanged()
      for (const body of ['{', '[]', 'null', '"text"', '{"a":']) {
        const answer = await send(caller, body)
        expect([body, answer.status]).toEqual([body, 400])
        expectProblem(row, answer, 'invalid_input')
      }
      const unknown = ['is_system', 'constructor', '__proto__']
      // An object literal cannot have an own field `__proto__`.
      const body = JSON.stringify({ ...sample.body, bogus: 1 }).replace(
        '"bogus":1',
        unknown.map((name) => `"${name}":{"a":1}`).join(),
      )
      const answer = await send(caller, body)
      expectProblem(row, answer, 'invalid_input')
      expect(answer.body.fields.map(({ path }: Json) => path)).toEqual(unknown)
      expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
    },
  )

  test.runIf(request !== undefined)('the route names the field with a wrong type', async () => {
    const { sample, caller, send } = await unchanged()
    for (const name of Object.keys(request?.schema.properties ?? {})) {
      const answer = await send(caller, {
        ...sample.body,
        [name]: { wrong: true },
      })
      expect([name, answer.status, answer.body?.fields?.[0]?.path]).toEqual([name, 400, name])
    }
  })

  test.runIf(request !== undefined)('the route names a missing field', async () => {
    const { sample, caller, send } = await unchanged()
    for (const name of request?.schema.required ?? []) {
      const { [name]: _left, ...rest } = sample.body ?? {}
      const answer = await send(caller, rest)
      expect([name, answer.status, answer.body?.fields?.[0]?.path]).toEqual([name, 400, name])
    }
  })
})
