/*
 * What a list can cost at best: node:http, pg with prepared statements, JSON.stringify, and nothing of what a product is
 * for. No authorisation, no row level security (it connects as the superuser), no validation, no paging, timestamps
 * left in the database's notation.
 */
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import pg from 'pg'
import { answering } from '../channel.ts'

const untouched = { getTypeParser: () => (value: string) => value }

const restColumns = 'id, name, slug, namespace, state, external_uuid, import_source, created_at'
const graphColumns = `id, name, slug, namespace, description, state, state_reason as "stateReason", external_uuid as "externalUuid",
  import_source as "importSource", version, created_at as "createdAt", updated_at as "updatedAt"`
const list = `from tenant where gone_at is null order by (slug <> 'default'), name, id limit $1`

const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 12, options: '-c timezone=UTC' })

async function rows(name: string, text: string, value: unknown): Promise<unknown[]> {
  // A type parser for every type: integers are the one thing that JSON shows differently from text.
  const { rows } = await pool.query({ name, text, values: [value], types: name.startsWith('graph') ? graphTypes : untouched })
  return rows
}

const asNumber = new Set<number>([pg.types.builtins.INT4])
const graphTypes = { getTypeParser: (type: number) => (asNumber.has(type) ? Number : (value: string) => value) }

const answers: Record<string, (value: string) => Promise<unknown>> = {
  '/rest/list': async (limit) => ({ tenants: await rows('rest_list', `select ${restColumns} ${list}`, limit) }),
  '/rest/one': async (id) => ({
    tenant: (await rows('rest_one', `select ${restColumns} from tenant where gone_at is null and id = $1`, id))[0],
  }),
  '/graph/list': async (first) => ({ data: { tenants: { nodes: await rows('graph_list', `select ${graphColumns} ${list}`, first) } } }),
}

const server = createServer((request, response) => {
  const [path = '', value = ''] = (request.url ?? '').split('?')
  void answers[path]?.(value).then((answer) => {
    const body = JSON.stringify(answer)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})

process.once('SIGTERM', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // A server on TCP has an address of this form.
  answering({ port: (server.address() as AddressInfo).port }, async () => null)
})
