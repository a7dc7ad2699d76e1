import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Place, actOf, mutations } from '../../support/requests/request-fixtures.ts'
import { type CommitProxy, startCommitProxy } from '../../support/postgres/commit-proxy.ts'
import { stateAtRest, stateHash } from '../../support/world/database-state.ts'
import { aWorld, unique } from '../../support/world/world.ts'

let place: Place
let proxy: CommitProxy
beforeAll(async () => {
  const socketPath = join(inject('postgresSocketDir'), '.s.PGSQL.5432')
  proxy = await startCommitProxy(socketPath)
  const through = (url: string): string => {
    const { username, pathname } = new URL(url)
    return `postgresql://${username}@127.0.0.1:${proxy.port}${pathname}`
  }
  const world = await aWorld({ databaseUrl: through })
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  place = { world, tenant: await world.tenant() }
})
// Registered after the world's own end, and so run before it: the world must be able to leave
// without its database.
afterAll(() => proxy.close())

const outcomes = (ids: string[]) =>
  place.world.database.sql(
    `select request_id, outcome, code from audit_event where request_id in (${ids.map((id) => `'${id}'`).join()}) order by at`,
  )

describe.each(mutations())('%s', (row, act) => {
  test.each(['before', 'after'] as const)(
    'whose COMMIT is cut %s the server has it is answered 503, and its repetition with the key happens once',
    async (where) => {
      const { world } = place
      const asked = await act.arrange(place)
      const [cutId, againId] = [unique('cut'), unique('again')]
      const key = unique('key')
      const send = (requestId: string) =>
        actOf.caller(act, place).rest(actOf.method(row), asked.path, {
          ...(asked.body ? { body: asked.body } : {}),
          headers: { 'idempotency-key': key, 'x-request-id': requestId },
        })
      const cutAndLook = async (): Promise<boolean> => {
        const before = await stateAtRest(world.database)
        const cut = proxy.cut(cutId, where)
        const answer = await send(cutId)
        await cut
        expect([
          answer.status,
          answer.body.code,
          Number(answer.headers['retry-after']) > 0,
        ]).toEqual([503, 'overloaded', true])
        expect(answer.body.error).toContain('Idempotency-Key')
        return where === 'after' || (await stateHash(world.database)) === before
      }
      // What a worker writes down meanwhile is not the call's, and is not there every time.
      await waitFor(cutAndLook, {
        timeoutMs: 8_000,
        what: 'what is cut to be as if it had not been asked',
      })
      const again = await send(againId)
      expect([again.status, again.text]).toEqual([act.status, expect.any(String)])
      expect(await send(unique('third'))).toMatchObject({ status: again.status, text: again.text })
      const allowed = (await outcomes([cutId, againId])).filter(
        ({ outcome }) => outcome === 'allowed',
      )
      expect(allowed).toMatchObject([{ request_id: where === 'before' ? againId : cutId }])
    },
  )
})

test('without a key the caller still learns that the result is unknown, and the server goes on', async () => {
  const id = unique('cut')
  const cut = proxy.cut(id, 'after')
  const name = unique('role')
  const answer = await place.tenant.admin.rest('POST', '/roles', {
    body: { name, permissions: [] },
    headers: { 'x-request-id': id },
  })
  await cut
  expect([answer.status, answer.body.error]).toEqual([
    503,
    expect.stringContaining('Idempotency-Key'),
  ])
  expect(
    (await place.tenant.admin.rest('POST', '/roles', { body: { name, permissions: [] } })).status,
  ).toBe(409)
  expect((await place.world.wire.send('GET', '/readyz')).status).toBe(200)
})
