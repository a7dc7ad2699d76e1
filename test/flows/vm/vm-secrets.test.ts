import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/*
 * A serial log and cloud-init user data often contain secrets. Each needs a permission of its own,
 * on both interfaces and over the socket.
 */
const userData = '#cloud-config\npassword: hunter2\n'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
})

const keyWith = async (...scopes: string[]): Promise<Client> => {
  const body = { name: unique('key'), scopes }
  return world.wire.client((await tenant.admin.rest('POST', '/api-keys', { body })).body.secret)
}

test('the log of a VM needs vms:logs, on every interface', async () => {
  const { id, name } = await make.vm({ world, tenant })
  const clients = [await keyWith('vms:read'), await tenant.as('viewer'), await keyWith('vms:logs')]
  const results = await Promise.all(
    clients.map(async (client) => {
      const read = await client.graphql('query ($id: ID!) { vmLog(id: $id) { boot } }', { id })
      const socket = await GraphqlSocketClient.login(world.url, { token: client.token })
      onTestFinished(() => socket.leave())
      const followed = await socket.ask(
        'subscription ($id: ID) { vmLogAppended(id: $id) { live } }',
        { id },
      )
      return [
        read.code,
        (await client.rest('GET', `/vms/${name}/logs`)).status,
        /"code":"(\w+)"/.exec(JSON.stringify(followed))?.[1] ?? null,
      ]
    }),
  )
  expect(results).toEqual([
    ['forbidden', 403, 'forbidden'],
    ['forbidden', 403, 'forbidden'],
    [null, 200, null],
  ])
})

test('the user data of a template needs vms:user_data, and who may not read it learns that it exists', async () => {
  const { vmTemplate } = (
    await tenant.admin.ask(
      'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }',
      {
        i: { name: unique('t'), image: 'quay.io/a/b:1', cloudInitUserData: userData },
      },
    )
  ).createVmTemplate
  const shown = async (client: Client): Promise<Json[]> => {
    const { id } = vmTemplate
    const graph = await client.ask(
      'query ($id: ID!) { vmTemplate(id: $id) { cloudInitUserData hasUserData } }',
      { id },
    )
    const { vm_template: rest } = (await client.rest('GET', `/vm-templates/${id}`)).body
    return [
      graph.vmTemplate.cloudInitUserData,
      graph.vmTemplate.hasUserData,
      rest.cloud_init_user_data ?? null,
      rest.has_user_data,
    ]
  }
  expect(await shown(await keyWith('vms:read'))).toEqual([null, true, null, true])
  expect(await shown(await tenant.as('viewer'))).toEqual([null, true, null, true])
  expect(await shown(await keyWith('vms:read', 'vms:user_data'))).toEqual([
    userData,
    true,
    userData,
    true,
  ])
})

test('a change by a user who may not read the user data keeps it, and its answer does not show it', async () => {
  const writer = await keyWith('vms:read', 'vms:write')
  const body = { name: unique('t'), image: 'quay.io/a/b:1', cloud_init_user_data: userData }
  const { id } = (await tenant.admin.rest('POST', '/vm-templates', { body })).body.vm_template
  const changed = await writer.rest('PATCH', `/vm-templates/${id}`, {
    body: { description: 'New' },
  })
  expect([changed.status, changed.text.includes('hunter2')]).toEqual([200, false])
  const { vm_template: stored } = (await tenant.admin.rest('GET', `/vm-templates/${id}`)).body
  expect(stored).toMatchObject({ description: 'New', cloud_init_user_data: userData })
})
