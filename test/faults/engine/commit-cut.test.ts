import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type FixtureContext,
  fixtureOf,
  settledMutations,
} from '../../support/requests/request-fixtures.ts'
import { type CommitProxy, startCommitProxy } from '../../support/postgres/commit-proxy.ts'
import { stateAtRest, stateHash } from '../../support/world/database-state.ts'
import { aWorld, unique } from '../../support/world/world.ts'

let context: FixtureContext
let proxy: CommitProxy
beforeAll(async () => {
  const socketPath = join(inject('postgresSocketDir'), '.s.PGSQL.5432')
  proxy = await startCommitProxy(socketPath)
  const through = (url: string): string => {
    const { username, pathname } = new URL(url)
    return `postgresql://${username}@127.0.0.1:${proxy.port}${pathname}`
  }
  const world = await aWorld({ databaseUrl: through })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant() }
})
// Registered after the cleanup of the world, and therefore run before it: the world must be able to
// stop without its database.
afterAll(() => proxy.close())

const outcomes = (ids: string[]) =>
  context.world.database.sql(
    `select request_id, outcome, code from audit_event where request_id in (${ids.map((id) => `'${id}'`).join()}) order by at`,
  )

describe.each(settledMutations())('%s', (row, act) => {
  test.each(['before', 'after'] as const)(
    'a mutation whose COMMIT is cut %s the server has it returns 503, and its retry with the key applies once',
    async (where) => {
      const { world } = context
      const request = await act.arrange(context)
      const [cutId, againId] = [unique('cut'), unique('again')]
      const key = unique('key')
      const send = (requestId: string) =>
        fixtureOf.caller(act, context).rest(fixtureOf.method(row), request.path, {
          ...(request.body ? { body: request.body } : {}),
          headers: { 'idempotency-key': key, 'x-request-id': requestId },
        })
      const cutOnce = async (): Promise<void> => {
        const cut = proxy.cut(cutId, where)
        const answer = await send(cutId)
        await cut
        expect([
          answer.status,
          answer.body.code,
          Number(answer.headers['retry-after']) > 0,
        ]).toEqual([503, 'overloaded', true])
        expect(answer.body.error).toContain('Idempotency-Key')
      }
      const leavesNoTrace = async (): Promise<boolean> => {
        const before = await stateAtRest(world.database)
        await cutOnce()
        return (await stateHash(world.database)) === before
      }
      // A worker may write during the call and change the state, so the call is repeated until it
      // does not.
      if (where === 'before')
        await waitFor(leavesNoTrace, {
          timeoutMs: 8_000,
          what: 'the cut request to leave no trace',
        })
      else await cutOnce()
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

test('a caller without a key learns that the result is unknown, and the server goes on', async () => {
  const id = unique('cut')
  const cut = proxy.cut(id, 'after')
  const name = unique('role')
  const answer = await context.tenant.admin.rest('POST', '/roles', {
    body: { name, permissions: [] },
    headers: { 'x-request-id': id },
  })
  await cut
  expect([answer.status, answer.body.error]).toEqual([
    503,
    expect.stringContaining('Idempotency-Key'),
  ])
  expect(
    (await context.tenant.admin.rest('POST', '/roles', { body: { name, permissions: [] } })).status,
  ).toBe(409)
  expect((await context.world.wire.send('GET', '/readyz')).status).toBe(200)
})
