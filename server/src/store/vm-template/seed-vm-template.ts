import type pg from 'pg'
import { newId } from '../../runtime/ids.ts'
import { scopeStatement, scopeValues } from '../../engine/database/sql/known-query.ts'

const expected = [
  {
    name: 'cirros',
    displayName: 'CirrOS',
    image: 'quay.io/kubevirt/cirros-container-disk-demo',
    source: 'container',
    os: 'linux',
  },
  {
    name: 'ubuntu-2204',
    displayName: 'Ubuntu 22.04 LTS',
    image: 'quay.io/containerdisks/ubuntu:22.04',
    source: 'container',
    os: 'linux',
  },
  {
    name: 'fedora-40',
    displayName: 'Fedora 40',
    image: 'quay.io/containerdisks/fedora:40',
    source: 'container',
    os: 'linux',
  },
  // The operator provides its ISO in each tenant's namespace; the image is only a name.
  {
    name: 'windows-server-2022',
    displayName: 'Windows Server 2022',
    image: 'windows-server-2022-eval',
    source: 'iso',
    os: 'windows',
  },
]

const insert = `
insert into vm_template (id, name, display_name, image, source_type, os_type)
select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as expected (id, name)
 where not exists (select from vm_template known where known.tenant_id is null and known.name = expected.name)
on conflict do nothing`

/**
 * Inserts the templates that existing clients request by name, at every start. Changes and
 * deletions by an operator stay.
 */
export async function seedVmTemplates(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ ...scopeStatement, values: scopeValues('platform') })
    const column = <K extends keyof (typeof expected)[number]>(key: K) =>
      expected.map((template) => template[key])
    const values = [
      expected.map(() => newId()),
      column('name'),
      column('displayName'),
      column('image'),
      column('source'),
      column('os'),
    ]
    await client.query(insert, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
