import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, adminPassword, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
beforeAll(async () => (world = await aWorld()))

const create = `mutation ($input: CreateTenantInput!) { createTenant(input: $input) {
  tenant { id slug namespace state refusals { delete update } } adminUser { username role tenantId } operation { id kind state targetId steps { name state } } } }`
const remove = `mutation ($id: ID!) { deleteTenant(input: { id: $id }) { tenant { id state } operation { id state kind } } }`
const one = `query ($id: ID!) { tenant(id: $id) { id name description state stateReason version } }`

const created = async (slug = unique('t')): Promise<Json> => {
  return (await world.root.ask(create, { input: { name: slug, slug, adminPassword } })).createTenant
}

describe('tenants', () => {
  test('a tenant is created by an operation with a labelled namespace and a first user', async () => {
    const { tenant, adminUser, operation } = await created()
    expect(tenant).toMatchObject({
      state: 'creating',
      namespace: `berth-${tenant.slug}`,
      refusals: { delete: null, update: null },
    })
    expect(adminUser).toEqual({
      username: `${tenant.slug}-admin`,
      role: 'tenant_admin',
      tenantId: tenant.id,
    })
    expect(operation).toMatchObject({
      kind: 'create_tenant',
      state: 'pending',
      targetId: tenant.id,
    })
    const done = await world.ended('create_tenant', tenant.id)
    expect(done).toMatchObject({
      id: operation.id,
      state: 'succeeded',
      progress: 100,
      fault_code: null,
    })
    expect(done.steps.map((step: Json) => [step.name, step.state])).toEqual([
      ['namespace', 'done'],
      ['boundary', 'done'],
      ['ready', 'done'],
    ])
    const { body } = await world.cluster.call(`/api/v1/namespaces/${tenant.namespace}`)
    expect(Object.values(body.metadata.labels ?? {})).toContain(tenant.id)
    const shown = await world.root.graphql(one, { id: tenant.id })
    expect(shown.data.tenant).toMatchObject({ state: 'active', stateReason: null })
    expect((await world.login(`${tenant.slug}-admin`, adminPassword)).token).not.toBe('')
  })

  test('tenants are listed with the default tenant first, then by name, and found by search', async () => {
    const names = [unique('zz'), unique('aa')]
    for (const name of names) await created(name)
    const { body } = await world.root.rest('GET', '/tenants')
    const slugs = body.tenants.map((tenant: Json) => tenant.slug)
    expect(slugs[0]).toBe('default')
    expect(slugs.slice(1)).toEqual([...slugs.slice(1)].sort())
    expect(slugs).toEqual(expect.arrayContaining(names))
    const found = await world.root.graphql(
      `query ($search: String) { tenants(filter: { search: $search }) { totalCount nodes { slug } } }`,
      { search: names[0] },
    )
    expect(found.data.tenants).toEqual({ totalCount: 1, nodes: [{ slug: names[0] }] })
  })

  test('a tenant is renamed once per version', async () => {
    const { tenant } = await created()
    await world.ended('create_tenant', tenant.id)
    const { version } = (await world.root.graphql(one, { id: tenant.id })).data.tenant
    const rename = `mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { name description version } } }`
    const renamed = await world.root.ask(rename, {
      input: { id: tenant.id, name: 'New', description: 'Words', ifVersion: version },
    })
    expect(renamed.updateTenant.tenant).toEqual({
      name: 'New',
      description: 'Words',
      version: version + 1,
    })
    expect(
      (
        await world.root.graphql(rename, {
          input: { id: tenant.id, name: 'Late', ifVersion: version },
        })
      ).code,
    ).toBe('version_conflict')
    expect((await world.root.graphql(one, { id: tenant.id })).data.tenant.name).toBe('New')
  })

  test('a tenant is refused with a slug that is taken or invalid in the cluster', async () => {
    const { tenant } = await created()
    const answers = ['', '---', 'x'.repeat(51), tenant.slug, tenant.slug.toUpperCase()].map(
      (slug) => world.root.graphql(create, { input: { name: 'n', slug, adminPassword } }),
    )
    expect((await Promise.all(answers)).map((answer) => answer.code)).toEqual([
      'invalid_input',
      'invalid_input',
      'invalid_input',
      'already_exists',
      'invalid_input',
    ])
  })

  test('a tenant is deleted with its namespace, users and sessions, and a repeated deletion joins the first', async () => {
    const { tenant } = await created()
    await world.ended('create_tenant', tenant.id)
    const admin = await world.login(`${tenant.slug}-admin`, adminPassword)
    const [first, second] = await Promise.all([
      world.root.ask(remove, { id: tenant.id }),
      world.root.ask(remove, { id: tenant.id }),
    ])
    expect(first.deleteTenant.operation.id).toBe(second.deleteTenant.operation.id)
    const done = await world.ended('delete_tenant', tenant.id)
    expect(done).toMatchObject({ state: 'succeeded', progress: 100 })
    expect(await world.hasNamespace(tenant.namespace)).toBe(false)
    expect((await world.root.graphql(one, { id: tenant.id })).data.tenant).toBeNull()
    await waitFor(async () => (await admin.rest('GET', '/auth/me')).status === 401, {
      what: 'the session to end',
    })
    expect((await world.root.graphql(remove, { id: tenant.id })).code).toBe('not_found')
    expect(
      (
        await world.root.rest('POST', '/tenants', {
          body: { slug: tenant.slug, admin_password: adminPassword },
        })
      ).status,
    ).toBe(201)
  })

  test('a tenant that is deleted during its creation ends deleted, and the creation is superseded', async () => {
    const { tenant, operation } = await created()
    expect((await world.root.rest('DELETE', `/tenants/${tenant.id}`)).body).toEqual({
      deleted: true,
      id: tenant.id,
    })
    expect((await world.ended('delete_tenant', tenant.id)).state).toBe('succeeded')
    const [creation] = await world.database.sql(
      `select state from operation where id = '${operation.id}'`,
    )
    expect(['superseded', 'succeeded']).toContain(creation?.state)
    expect(await world.hasNamespace(tenant.namespace)).toBe(false)
  })

  test('a tenant fails when its namespace belongs to another owner, and can be deleted', async () => {
    const slug = unique('foreign')
    const labels = { owner: 'another-owner' }
    await world.cluster.call('/api/v1/namespaces', {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `berth-${slug}`, labels } },
    })
    const before = (await world.cluster.call(`/api/v1/namespaces/berth-${slug}`)).body.metadata
    const { tenant } = await created(slug)
    expect(await world.ended('create_tenant', tenant.id)).toMatchObject({
      state: 'failed',
      fault_code: 'cluster_name_conflict',
    })
    expect((await world.root.graphql(one, { id: tenant.id })).data.tenant.state).toBe('failed')
    await world.root.graphql(remove, { id: tenant.id })
    expect((await world.ended('delete_tenant', tenant.id)).state).toBe('succeeded')
    const after = (await world.cluster.call(`/api/v1/namespaces/berth-${slug}`)).body.metadata
    expect(after).toMatchObject({
      uid: before.uid,
      resourceVersion: before.resourceVersion,
      labels,
    })
  })

  test('a tenant whose namespace was deleted in the cluster fails and is not recreated', async () => {
    const { tenant } = await created()
    await world.ended('create_tenant', tenant.id)
    await world.cluster.call(`/api/v1/namespaces/${tenant.namespace}`, { method: 'DELETE' })
    await waitFor(async () => !(await world.hasNamespace(tenant.namespace)), {
      what: 'the namespace to go',
    })
    await world.root.graphql(
      `mutation ($id: ID!) { updateTenant(input: { id: $id, description: "look" }) { tenant { id } } }`,
      {
        id: tenant.id,
      },
    )
    await waitFor(
      async () => (await world.root.graphql(one, { id: tenant.id })).data.tenant.state === 'failed',
      {
        what: 'the loss to be observed',
      },
    )
    expect(await world.hasNamespace(tenant.namespace)).toBe(false)
  })

  test('the default tenant cannot be deleted, and an unknown tenant is not found', async () => {
    const { body } = await world.root.rest('GET', '/tenants?limit=1')
    expect((await world.root.graphql(remove, { id: body.tenants[0].id })).code).toBe('read_only')
    expect((await world.root.rest('DELETE', `/tenants/${body.tenants[0].id}`)).status).toBe(403)
    expect((await world.root.graphql(remove, { id: randomUUID() })).code).toBe('not_found')
  })
})
