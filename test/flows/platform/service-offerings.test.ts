import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
})

const listed = async (query = ''): Promise<string[]> =>
  (await tenant.admin.rest('GET', `/service-offerings${query}`)).body.service_offerings.map(
    (row: Json) => row.name,
  )

describe('service offerings', () => {
  test('a service offering of root is listed for every tenant, hidden when inactive, and deletable', async () => {
    const name = unique('size')
    const made = await world.root.rest('POST', '/service-offerings', {
      body: { name, cpu: 2, memory_mi: 2048 },
    })
    expect(made.body.service_offering).toMatchObject({
      name,
      display_name: name,
      cpu: 2,
      memory_mi: 2048,
      dedicated_cpu: false,
      state: 'Active',
    })
    const path = `/service-offerings/${made.body.service_offering.id}`
    expect(await listed()).toContain(name)
    const changed = await world.root.rest('PATCH', path, {
      body: { display_name: '', state: 'Inactive', dedicated_cpu: true },
    })
    expect(changed.body.service_offering).toMatchObject({
      cpu: 2,
      memory_mi: 2048,
      state: 'Inactive',
      dedicated_cpu: true,
    })
    expect(await listed()).not.toContain(name)
    expect(await listed('?include_inactive=true')).toContain(name)
    expect((await world.root.rest('DELETE', path)).body).toEqual({ success: true })
    expect(await listed('?include_inactive=true')).not.toContain(name)
    expect((await world.root.rest('DELETE', path)).status).toBe(404)
  })

  test('a VM keeps a withdrawn service offering that a change repeats, and no other VM gets it', async () => {
    const offerings = await Promise.all(
      [unique('size'), unique('size')].map(async (name) => {
        const body = { name, cpu: 2, memory_mi: 2048 }
        const made = await world.root.rest('POST', '/service-offerings', { body })
        return made.body.service_offering.id as string
      }),
    )
    const [present = '', other = ''] = offerings
    const vms = await vmActions(tenant.admin)
    const { id } = await vms.create({ serviceOfferingId: present, start: false })
    for (const offering of offerings)
      await world.root.rest('PATCH', `/service-offerings/${offering}`, {
        body: { state: 'Inactive' },
      })
    const update = (serviceOfferingId: string) =>
      tenant.admin.graphql('mutation ($i: UpdateVmInput!) { updateVm(input: $i) { applies } }', {
        i: { id, serviceOfferingId, tags: ['kept'] },
      })
    expect((await update(present)).code).toBeNull()
    const refused = await update(other)
    expect(refused.code).toBe('invalid_input')
    expect(refused.text).toContain('leave the field out to keep the present size')
  })

  test.each([
    [{ name: '' }, 400],
    [{ name: '!!!' }, 400],
    [{ cpu: 0 }, 400],
    [{ cpu: -1 }, 400],
    [{ cpu: 1.5 }, 400],
    [{ cpu: 1_000_000 }, 400],
    [{ memory_mi: 0 }, 400],
    [{ memory_mi: 2 ** 40 }, 400],
    [{ name: 'small' }, 409],
    [{ name: ' SMALL ' }, 400],
  ])('a service offering is refused with %j: %i', async (wrong, status) => {
    const answer = await world.root.rest('POST', '/service-offerings', {
      body: { name: unique('size'), cpu: 1, memory_mi: 512, ...wrong },
    })
    expect(answer.status).toBe(status)
  })

  test('a service offering that 16 requests create under one name exists once', async () => {
    const body = { name: unique('race'), cpu: 1, memory_mi: 512 }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => world.root.rest('POST', '/service-offerings', { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...new Array(15).fill(409)])
  })

  test('one of four updates of the same version is applied', async () => {
    const { serviceOffering } = (
      await world.root.ask(
        `mutation ($name: String!) { createServiceOffering(input: { name: $name, cpu: 1, memoryMi: 512 }) { serviceOffering { id version } } }`,
        { name: unique('v') },
      )
    ).createServiceOffering
    const change = `mutation ($id: ID!, $v: Int, $cpu: Int) { updateServiceOffering(input: { id: $id, ifVersion: $v, cpu: $cpu }) { serviceOffering { version } } }`
    const answers = await Promise.all(
      [2, 3, 4, 5].map((cpu) =>
        world.root.graphql(change, { id: serviceOffering.id, v: serviceOffering.version, cpu }),
      ),
    )
    expect(answers.map(({ code }) => code).sort()).toEqual(
      [null, 'version_conflict', 'version_conflict', 'version_conflict'].sort(),
    )
    expect((await world.root.graphql(change, { id: randomUUID(), v: 1, cpu: 1 })).code).toBe(
      'not_found',
    )
  })
})
