import { beforeAll, describe, expect, inject, test } from 'vitest'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { runSql } from '../../support/postgres/server.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

const metricsToken = 'the scraper of the metrics'
let world: World
let worker: string
beforeAll(async () => {
  world = await aWorld({
    worker: false,
    config: ({ security }) => (security.metricsToken = new Secret(metricsToken)),
  })
  worker = (await anotherReplica(world, { worker: true, api: false })).url
})

const answerOf = async (url: string, path: string): Promise<string> => {
  const answer = await fetch(`${url}${path}`)
  return `${answer.status} ${await answer.text()}`
}
const answers = (url: string, expected: string): Promise<void> =>
  waitFor(async () => (await answerOf(url, '/readyz')) === expected, {
    timeoutMs: 20_000,
    everyMs: 200,
    what: `/readyz to answer ${expected}`,
  })

describe('a worker', () => {
  test('a worker answers health checks and reports its own metrics', async () => {
    expect(await answerOf(worker, '/healthz')).toBe('200 ok\n')
    expect(await answerOf(worker, '/readyz')).toBe('200 ready\n')
    expect((await fetch(`${worker}/api/v1/vms`)).status).toBe(404)
  })

  test('a worker and the API show their metrics only with the token that was set', async () => {
    const metricsOf = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/metrics`, { headers })
    for (const url of [worker, world.url]) {
      const refused = await metricsOf(url)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await refused.text()).toContain('BERTH_METRICS_TOKEN')
      expect((await metricsOf(url, { authorization: `Bearer ${metricsToken}x` })).status).toBe(401)
      const shown = await metricsOf(url, { authorization: `Bearer ${metricsToken}` })
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('berth_')])
    }
  })

  test('a worker is not ready while the cluster does not answer, and the API stays ready', async () => {
    const faults = sandboxFaults(world.cluster)
    await faults.inject('requests', {
      method: 'GET',
      path: '/version',
      times: 10_000,
      fault: { do: 'answer', status: 503 },
    })
    await answers(worker, '503 not ready: the cluster does not answer\n')
    expect(await answerOf(world.url, '/readyz')).toBe('200 ready\n')
    await faults.inject('requests/clear', {})
    await answers(worker, '200 ready\n')
  })
})

describe('the database', () => {
  test('a process is not ready while the database accepts no write', async () => {
    const { name } = world.database
    const asAdministrator = async (change: string): Promise<void> => {
      const socketDir = inject('postgresSocketDir')
      await runSql(socketDir, 'postgres', `alter database ${name} ${change}`)
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
      await runSql(socketDir, 'postgres', cut)
    }
    await asAdministrator('set default_transaction_read_only = on')
    for (const url of [world.url, worker])
      await answers(url, '503 not ready: the database is read-only\n')
    await asAdministrator('reset default_transaction_read_only')
    for (const url of [world.url, worker]) await answers(url, '200 ready\n')
  })

  test('a process is not ready while the change log cannot be read', async () => {
    await world.database.sql('alter table change_log rename to change_log_elsewhere')
    for (const url of [world.url, worker])
      await answers(url, '503 not ready: the change log cannot be read\n')
    await world.database.sql('alter table change_log_elsewhere rename to change_log')
    for (const url of [world.url, worker]) await answers(url, '200 ready\n')
  })

  test('a full disk of the database is one error line, and the process is not ready', async () => {
    await world.database.sql(`
      create function refuse_write() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger full_disk before insert on role for each row execute function refuse_write()`)
    const create = () =>
      world.root.rest('POST', '/roles', { body: { name: unique('r'), permissions: [] } })
    for (const { status } of [await create(), await create()]) expect(status).toBe(503)
    await answers(world.url, '503 not ready: the disk of the database is full\n')
    const lines = world.logged.filter((line) => line.includes('database.disk_full'))
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['error'])
    await world.database.sql('drop trigger full_disk on role')
    await answers(world.url, '200 ready\n')
    expect((await create()).status).toBe(201)
  })
})
