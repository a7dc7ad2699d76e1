import { request } from 'node:http'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type World,
  type WorldTenant,
  aWorld,
  adminPassword,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let neighbour: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant('acme')
  neighbour = await world.tenant('rival')
})

/** Adds that many entries of one second each to the audit log of a tenant. */
const addEntries = (to: WorldTenant, operation: string, count: number): Promise<unknown> =>
  world.database.sql(`insert into audit_event
    (id, at, tenant_id, actor_id, actor_name, actor_role, credential, operation, outcome, request_id)
    select gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 ms', '${to.id}',
      gen_random_uuid(), 'ada', 'user', 'session', '${operation}', 'allowed', 'r' || n
    from generate_series(1, ${count}) n`)

const exported = (
  client: Client,
  body: Json = {},
  { format = 'ndjson', headers = {} }: { format?: string; headers?: Record<string, string> } = {},
): Promise<WireAnswer> =>
  client.rest('POST', '/audit-exports', { body: { format, ...body }, headers })

/** The rows of an NDJSON file and its last line. */
function linesOf(text: string): { rows: Json[]; end: Json } {
  const lines: Json[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { rows: lines.slice(0, -1), end: lines.at(-1) }
}

describe('an export', () => {
  test('an export has the rows of the list with the same filters, and then its number of rows', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, 3)
    const list = await tenant.admin.rest('GET', `/audit-events?operation=${operation}`)
    const { headers, text } = await exported(tenant.admin, { operation })
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-events.ndjson"',
    })
    const { rows, end } = linesOf(text)
    expect(rows).toHaveLength(3)
    expect(rows).toEqual(list.body.audit_events)
    expect(end).toEqual({ complete: true, rows: 3 })

    const csv = await exported(tenant.admin, { operation }, { format: 'csv' })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head = '', ...cells] = csv.text.trimEnd().split('\r\n')
    expect(head.split(',').slice(0, 2)).toEqual(['id', 'at'])
    expect(cells.map((row) => row.split(',')[0])).toEqual([...rows.map(({ id }) => id), 'complete'])
    expect(cells.at(-1)?.split(',').length).toBe(head.split(',').length)
  })

  test('an export has the entries of its span, whose end is exclusive', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, 10)
    const span = { since: '2026-01-01T00:00:00.003Z', before: '2026-01-01T00:00:00.007Z' }
    const { rows } = linesOf((await exported(tenant.admin, { operation, ...span })).text)
    expect(rows.map(({ request_id }) => request_id)).toEqual(['r6', 'r5', 'r4', 'r3'])
    const list = await tenant.admin.rest(
      'GET',
      `/audit-events?operation=${operation}&since=${span.since}&before=${span.before}`,
    )
    expect(list.body.audit_events).toEqual(rows)
  })

  test('an export of 20,000 entries has each of them once, newest first, although new ones are recorded', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, 20_000)
    const stream = open(tenant.admin, { operation })
    await waitFor(() => stream.text().length > 0, { what: 'the first rows' })
    await world.database.sql(`insert into audit_event
      (id, tenant_id, actor_id, actor_name, actor_role, credential, operation, outcome, request_id)
      select gen_random_uuid(), '${tenant.id}', gen_random_uuid(), 'ada', 'user', 'session',
        '${operation}', 'allowed', 'late' from generate_series(1, 100)`)
    await waitFor(stream.isOver, { what: 'the end of the export' })
    const { rows, end } = linesOf(stream.text())
    expect(end).toEqual({ complete: true, rows: 20_000 })
    expect(rows.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 20_000 }, (_, index) => `r${20_000 - index}`),
    )
  })

  test('an export of a tenant has no entry of another tenant, and one of root has those of all tenants', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, 2)
    await addEntries(neighbour, operation, 3)
    const numberOf = async (client: Client): Promise<unknown> =>
      linesOf((await exported(client, { operation })).text).end.rows
    expect(await numberOf(tenant.admin)).toBe(2)
    expect(await numberOf(neighbour.admin)).toBe(3)
    expect(await numberOf(world.root)).toBe(5)
    expect(await numberOf(world.root.with({ 'x-tenant-id': tenant.id }))).toBe(2)
  })

  test('an export is refused to a user who may not read the audit log', async () => {
    const answer = await exported(await tenant.as('viewer'))
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })
})

describe('the audit row of an export', () => {
  test('the audit row of an export tells who exported which span, and is no part of the export', async () => {
    const operation = unique('op')
    const id = unique('export')
    const { text } = await exported(
      tenant.admin,
      { operation, since: '2026-01-01T00:00:00Z' },
      { headers: { 'x-request-id': id } },
    )
    expect(linesOf(text).rows).toEqual([])
    const rows = await world.database.sql(`select * from audit_event where request_id = '${id}'`)
    expect(rows).toMatchObject([
      {
        operation: 'createAuditExport',
        outcome: 'allowed',
        tenant_id: tenant.id,
        target_kind: 'audit_export',
        target_name: expect.stringMatching(
          `^2026-01-01T00:00:00Z to 20[-\\dT:.]+Z, ndjson, operation ${operation}$`,
        ),
      },
    ])
    const { end } = linesOf((await exported(tenant.admin, { operation: 'createAuditExport' })).text)
    const listed = await tenant.admin.rest('GET', '/audit-events?operation=createAuditExport')
    expect(listed.body.audit_events).toHaveLength(end.rows + 1)
  })

  test('an export that is repeated with its Idempotency-Key has one audit row and the same file', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, 2)
    const headers = { 'idempotency-key': unique('key') }
    const first = await exported(tenant.admin, { operation }, { headers })
    const second = await exported(tenant.admin, { operation }, { headers })
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.text).toBe(first.text)
    const { rows } = linesOf(
      (await exported(tenant.admin, { operation: 'createAuditExport' })).text,
    )
    expect(rows.filter(({ target_name }) => target_name?.includes(operation))).toHaveLength(1)
  })
})

interface OpenExport {
  status: () => number
  text: () => string
  isOver: () => boolean
  /** Lets the client read on. It does not read before that. */
  readOn: () => void
  leave: () => void
}

/** Opens an export whose client reads only what fits into the buffers when `paused`. */
function open({ token }: Client, body: Json, { paused = false } = {}): OpenExport {
  let text = ''
  let isOver = false
  let status = 0
  let readOn = (): void => undefined
  const sent = request(
    `${world.url}/api/v1/audit-exports`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      agent: false,
    },
    (response) => {
      status = response.statusCode ?? 0
      readOn = () => void response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', () => undefined)
      response.on('close', () => (isOver = true))
      if (!paused) readOn()
    },
  )
  sent.on('error', () => undefined)
  sent.end(JSON.stringify({ format: 'ndjson', ...body }))
  const leave = (): void => void sent.destroy()
  onTestFinished(leave)
  return {
    status: () => status,
    text: () => text,
    isOver: () => isOver,
    readOn: () => readOn(),
    leave,
  }
}

describe('a client that reads slowly', () => {
  /** More than the socket buffers of both ends hold. */
  const many = 60_000

  test('a client that loses its permission gets a file without the last line', async () => {
    const operation = unique('op')
    await addEntries(tenant, operation, many)
    const username = unique('user')
    const body = { username, password: adminPassword, role_name: 'tenant.admin' }
    const { user } = (await tenant.admin.rest('POST', '/users', { body })).body
    const stream = open(await world.login(username, adminPassword), { operation }, { paused: true })
    await waitFor(() => stream.status() === 200, { what: 'the beginning of the export' })
    await tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { role_name: 'tenant.viewer' } })
    stream.readOn()
    await waitFor(stream.isOver, { what: 'the end of the export' })
    expect(stream.text()).not.toContain('"complete"')
  })

  test('a user has at most two exports at once, and another one when one of them ends', async () => {
    const operation = unique('op')
    await addEntries(neighbour, operation, many)
    const opened = [1, 2].map(() => open(neighbour.admin, { operation }, { paused: true }))
    await waitFor(() => opened.every(({ status }) => status() === 200), { what: 'two exports' })
    const outcome = async (): Promise<unknown[]> => {
      const { status, body } = await exported(neighbour.admin, { operation: 'none' })
      return [status, body?.code]
    }
    expect(await outcome()).toEqual([429, 'too_many_requests'])
    expect((await exported(tenant.admin, { operation: 'none' })).status).toBe(200)
    opened[0]?.leave()
    await waitFor(async () => (await outcome())[0] === 200, { what: 'a slot to become free' })
  })
})
