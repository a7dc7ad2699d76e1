/*
 * Measures the database's part of one page of a long list. It runs the product's own statement
 * under the product's role, with row level security.
 */
import pg from 'pg'
import { becomeAppRole } from '../../../server/src/engine/database/app-role.ts'
import { encodeCursor } from '../../../server/src/engine/model/page.ts'
import { VmReads } from '../../../server/src/store/vm/vm-reads.ts'
import { serveRequests } from '../process/channel.ts'
import { median } from '../numbers.ts'

const [url, tenantId] = [process.env['BENCH_DATABASE_URL'], process.env['BENCH_TENANT_ID']]
const repetitions = 41

/** Returns the statement for a page in the middle of the list. */
async function middlePage(client: pg.Client): Promise<{ text: string; values: unknown[] }> {
  const { rows } = await client.query<{ name: string; id: string }>(
    'select name, id from vm where tenant_id = $1 order by name, id offset (select count(*) / 2 from vm) limit 1',
    [tenantId],
  )
  const after = encodeCursor([rows[0]?.name, rows[0]?.id])
  const statements: { text: string; values: unknown[] }[] = []
  const reads = new VmReads({
    tenantId: tenantId ?? null,
    all: (statement, args) => {
      statements.push({ text: statement.text, values: statement.bind(args) })
      return Promise.resolve([])
    },
  })
  await reads.list({ first: 50, after }, { sort: 'name', direction: 'asc' })
  const [page] = statements
  if (!page) throw new TypeError('a page takes exactly one statement')
  return page
}

async function measure(): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { text, values } = await middlePage(client)
    await becomeAppRole(client)
    await client.query(`select set_config('berth.tenant', $1, false)`, [tenantId])
    const times: number[] = []
    for (let turn = 0; turn < repetitions; turn += 1) {
      const { rows } = await client.query({
        name: 'page',
        text: `explain (analyze, format json) ${text}`,
        values,
      })
      const [plan] = rows[0]['QUERY PLAN']
      if (plan.Plan['Actual Rows'] !== 51)
        throw new TypeError(`a page of ${plan.Plan['Actual Rows']} rows`)
      times.push(plan['Execution Time'])
    }
    return median(times)
  } finally {
    await client.end()
  }
}

serveRequests({}, measure)
