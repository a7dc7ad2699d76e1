import { type Json } from '../json.ts'
import { unique } from '../world/world.ts'
import { type ForeignIdCase } from './foreign-id-case.ts'
import { type FixtureContext, type RouteFixture, by, madeBy } from './request-fixture.ts'

const text = 'Restart the database first.'

const aMemo = async ({ tenant }: FixtureContext): Promise<Json> =>
  (await madeBy(tenant.admin, '/memos', { name: unique('memo'), text })).memo

export const memoMakers = { memo: aMemo }

/** A successful request for each REST route of memos. */
export const memoFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/memos': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({ path: `/memos?filter=${(await aMemo(context)).name}` }),
  },
  'POST /api/v1/memos': {
    ...by.admin,
    status: 201,
    arrange: () => ({ path: '/memos', body: { name: unique('memo'), text } }),
  },
  'DELETE /api/v1/memos/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({ path: `/memos/${(await aMemo(context)).id}` }),
  },
}

export const foreignMemoCases: readonly ForeignIdCase[] = [
  ['memo', 'memo', (id) => ['query ($id: ID!) { memo(id: $id) { id } }', { id }]],
  [
    'memo',
    'deleteMemo',
    (id) => [
      'mutation ($i: DeleteMemoInput!) { deleteMemo(input: $i) { memo { id } } }',
      { i: { id } },
    ],
  ],
]
