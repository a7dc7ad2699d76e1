import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
})

const fields = 'id tenantId name text version'
const create = `mutation ($i: CreateMemoInput!) { createMemo(input: $i) { memo { ${fields} } } }`
const remove = `mutation ($i: DeleteMemoInput!) { deleteMemo(input: $i) { memo { id } } }`
const list = `query ($f: MemoFilter) { memos(filter: $f) { totalCount nodes { ${fields} } } }`
const aMemo = async (name = unique('memo'), text = 'Call the night shift.'): Promise<Json> =>
  (await tenant.admin.ask(create, { i: { name, text } })).createMemo.memo

describe('a memo', () => {
  test('a created memo is found by its text and gone after its deletion', async () => {
    const text = `The code is ${unique('code')}.`
    const memo = await aMemo(' On-Call ', text)
    expect(memo).toMatchObject({ tenantId: tenant.id, name: 'on-call', text, version: 1 })
    const found = async (): Promise<Json> =>
      (await tenant.admin.ask(list, { f: { search: text } })).memos
    expect(await found()).toEqual({ totalCount: 1, nodes: [memo] })
    await tenant.admin.ask(remove, { i: { id: memo.id } })
    expect(await found()).toEqual({ totalCount: 0, nodes: [] })
    expect((await tenant.admin.graphql(remove, { i: { id: memo.id } })).code).toBe('not_found')
  })

  test('a name is free again after the deletion of its memo, and each tenant has its own names', async () => {
    const { id, name } = await aMemo()
    const again = { i: { name, text: 'Once more.' } }
    expect((await tenant.admin.graphql(create, again)).code).toBe('already_exists')
    expect((await (await world.tenant()).admin.graphql(create, again)).code).toBeNull()
    await tenant.admin.ask(remove, { i: { id } })
    expect((await tenant.admin.graphql(create, again)).code).toBeNull()
  })

  test('a memo over REST is created, listed and deleted', async () => {
    const body = { name: unique('memo'), text: 'From a script.' }
    const made = await tenant.admin.rest('POST', '/memos', { body })
    expect([made.status, made.body.memo]).toEqual([201, expect.objectContaining(body)])
    const listed = await tenant.admin.rest('GET', `/memos?filter=${body.name}`)
    expect(listed.body.memos).toEqual([made.body.memo])
    expect((await tenant.admin.rest('DELETE', `/memos/${made.body.memo.id}`)).status).toBe(200)
    expect((await tenant.admin.rest('DELETE', `/memos/${randomUUID()}`)).status).toBe(404)
  })

  test('a subscription sends a memo and ends when the memo is deleted', async () => {
    const memo = await aMemo()
    const peer = await GraphqlSocketClient.login(world.url, { token: tenant.admin.token })
    const watched = peer.subscribe('subscription ($id: ID!) { memoChanged(id: $id) { text } }', {
      id: memo.id,
    })
    const received = (type: string): boolean =>
      peer.of(watched).some((message) => message.type === type)
    await waitFor(() => received('next'), { what: 'the memo' })
    await tenant.admin.ask(remove, { i: { id: memo.id } })
    await waitFor(() => received('complete'), { what: 'the end of the subscription' })
    expect(peer.of(watched)[0]?.payload.data.memoChanged).toEqual({ text: memo.text })
    peer.socket.terminate()
  })

  test('the memos of a tenant are deleted with the tenant', async () => {
    const ending = await world.tenant()
    await ending.admin.ask(create, { i: { name: 'last', text: 'Goodbye.' } })
    const rows = () => world.database.sql(`select name from memo where tenant_id = '${ending.id}'`)
    expect(await rows()).toEqual([{ name: 'last' }])
    await world.root.rest('DELETE', `/tenants/${ending.id}`)
    await world.ended('delete_tenant', ending.id)
    expect(await rows()).toEqual([])
  })
})
