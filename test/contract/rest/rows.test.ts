import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type Act, type Place, actOf, acts } from '../../support/requests/request-fixtures.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { violations } from '../../support/requests/json-schema.ts'
import { aWorld } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let place: Place
/** The committed document: what the table of rows says by itself is no measure for its answers. */
const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'schema', 'rest.openapi.json'), 'utf8'),
)
const refused = new Map<string, Client>()

beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  const tenant = await world.tenant('acme')
  place = { world, tenant }
  refused.set('admin', tenant.admin)
  for (const role of ['operator', 'viewer'] as const) refused.set(role, await tenant.as(role))
})

const rows = Object.entries(acts)
const schemaOf = (row: string, status: number, type = 'application/json'): Json => {
  const [method = '', path = ''] = row.split(' ')
  return document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.[type]?.schema
}

const keysOf = (value: unknown, at = ''): string[] => {
  if (Array.isArray(value)) return keysOf(value[0], at)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [
    `${at}${key}`,
    ...keysOf(child, `${at}${key}.`),
  ])
}

/** The fields that every answer has; a list has an element at least, which has its own. */
function requiredKeys({ items, properties = {}, required = [] }: Json, at = ''): string[] {
  if (items) return requiredKeys(items, at)
  return required.flatMap((name: string) => {
    const child = properties[name]
    return [
      `${at}${name}`,
      ...([child.type].flat().includes('null') ? [] : requiredKeys(child, `${at}${name}.`)),
    ]
  })
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

test('every row of the table has an act here, and is in the OpenAPI document', async () => {
  const table = restRoutes.map(({ method, path }) => `${method} ${path}`).sort()
  expect(Object.keys(acts).sort()).toEqual(table)
  const documented = Object.entries(document.paths).flatMap(([path, methods]: [string, Json]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.sort()).toEqual(table)
  expect((await place.world.anonymous.rest('GET', '/openapi.json')).body).toEqual(document)
})

describe.each(rows)('%s', (row, act: Act) => {
  const method = actOf.method(row)
  const request = restRoutes.find((route) => `${route.method} ${route.path}` === row)?.request
  const arranged = async () => {
    const asked = await act.arrange(place)
    const send = (
      client: Client,
      body: unknown = asked.body,
      path = asked.path,
    ): Promise<WireAnswer> => client.rest(method, path, body === undefined ? {} : { body })
    return { asked, send }
  }

  test('answers with the status, the fields and the schema that are written down', async () => {
    const { asked, send } = await arranged()
    const answer = await send(actOf.caller(act, place))
    expect([answer.status, answer.text]).toEqual([act.status, expect.any(String)])
    if (act.status === 204) return expect(answer.text).toBe('')
    if (act.media)
      return expect([answer.headers['content-type'], answer.text]).toEqual([
        `${act.media}; charset=utf-8`,
        expect.stringContaining('\n'),
      ])
    expect(answer.headers['content-type']).toBe('application/json')
    const schema = schemaOf(row, act.status)
    const shown = keysOf(answer.body)
    expect(
      [...requiredKeys(schema), ...(asked.shows ?? [])].filter((key) => !shown.includes(key)),
    ).toEqual([])
    // A field that the document does not have is a violation too.
    expect(violations(schema, answer.body, { document })).toEqual([])
  })

  test.runIf(act.by !== 'anyone')(
    'is refused without a login, and with one that does not reach',
    async () => {
      const { send } = await arranged()
      const nobody = await send(place.world.anonymous)
      expect(nobody.status).toBe(401)
      expect(nobody.headers['www-authenticate']).toBe('Bearer')
      expectProblem(row, nobody, 'unauthenticated')
      expect((await send(place.world.wire.client('not-a-token'))).status).toBe(401)
      if (act.refused) {
        const answer = await send(refused.get(act.refused)!)
        expect(answer.status).toBe(403)
        expectProblem(row, answer, 'forbidden')
      }
    },
  )

  test('refuses every other method with the list of those that work', async () => {
    const { asked } = await arranged()
    const known = rows
      .map(([name]) => name.split(' '))
      .flatMap(([name = '', pattern = '']) => (fits(pattern, asked.path) ? [name] : []))
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (name) => !known.includes(name),
    )) {
      const answer = await place.world.root.rest(other, asked.path)
      expect([other, answer.status, answer.body.code]).toEqual([other, 405, 'method_not_allowed'])
      expect(String(answer.headers.allow).split(', ').sort()).toEqual([...known].sort())
    }
  })

  test.runIf(row.includes('{'))(
    'answers 404 with "not found" for what nobody has, and for what is none',
    async () => {
      const { asked, send } = await arranged()
      for (const path of [
        actOf.absent(row, asked.path),
        ...['nonsense', '..%2F..'].map((other) => actOf.naming(row, asked.path, other)),
      ]) {
        const answer = await send(actOf.caller(act, place), asked.body, path)
        expect([path, answer.status]).toEqual([path, 404])
        expect(answer.body.error).toContain('not found')
        expectProblem(row, answer, 'not_found')
      }
    },
  )

  test.runIf(request !== undefined)(
    'refuses bodies that are no object, ignores fields that it does not know',
    async () => {
      const { asked, send } = await arranged()
      const caller = actOf.caller(act, place)
      for (const body of ['{', '[]', 'null', '"text"', '{"a":']) {
        const answer = await send(caller, body)
        expect([body, answer.status]).toEqual([body, 400])
        expectProblem(row, answer, 'invalid_input')
      }
      const id = randomUUID()
      const planted = Object.fromEntries([['__proto__', { a: 1 }]])
      const answer = await send(caller, {
        ...asked.body,
        id,
        tenant_id: id,
        is_system: true,
        namespace: 'kube-system',
        constructor: 'x',
        user_id: id,
        ...planted,
      })
      expect([answer.status, answer.text]).toEqual([act.status, expect.not.stringContaining(id)])
      expect(answer.text).not.toContain('kube-system')
      expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
    },
  )

  test.runIf(request !== undefined)('names the field that has the wrong type', async () => {
    const { asked, send } = await arranged()
    const { properties, required } = request ?? {}
    for (const name of Object.keys(properties ?? {})) {
      const answer = await send(actOf.caller(act, place), {
        ...asked.body,
        [name]: { wrong: true },
      })
      expect([name, answer.status, answer.body?.fields?.[0]?.path]).toEqual([name, 400, name])
    }
    for (const name of required ?? []) {
      const { [name]: _left, ...rest } = asked.body ?? {}
      const answer = await send(actOf.caller(act, place), rest)
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'invalid_input'])
    }
  })
})
