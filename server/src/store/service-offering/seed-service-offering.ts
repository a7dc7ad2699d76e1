import type pg from 'pg'
import { newId } from '../../runtime/ids.ts'
import { scopeStatement, scopeValues } from '../../engine/database/sql/known-query.ts'

const small = { name: 'small', displayName: 'Small', cpu: 1, memoryMi: 1024 }
const medium = { name: 'medium', displayName: 'Medium', cpu: 2, memoryMi: 4096 }
const large = { name: 'large', displayName: 'Large', cpu: 4, memoryMi: 8192 }

/** Offerings for an empty catalogue only, so that those that an operator removed do not return. */
const starters = [small, medium, large]

/**
 * Existing clients request these by name, so every start adds the missing ones. Changes by an
 * operator stay.
 */
const expected = [
  {
    name: 'windows-large',
    displayName: 'Windows large',
    cpu: 4,
    memoryMi: 16_384,
    dedicated: false,
  },
  ...[small, medium, large].map(({ name, displayName, ...size }) => ({
    ...size,
    name: `${name}-dedicated`,
    displayName: `${displayName}, dedicated`,
    dedicated: true,
  })),
]

const insert = `
insert into service_offering (id, name, display_name, cpu, memory_mi, dedicated_cpu)
select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::boolean[])
on conflict (name) do nothing`

/** Inserts the default service offerings. Several replicas may do so at once. */
export async function seedServiceOfferings(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ ...scopeStatement, values: scopeValues('platform') })
    const { rows } = await client.query<{ empty: boolean }>(
      'select not exists (select from service_offering) as empty',
    )
    const offerings = rows[0]?.empty
      ? [...starters.map((size) => ({ ...size, dedicated: false })), ...expected]
      : expected
    const column = <K extends keyof (typeof expected)[number]>(key: K) =>
      offerings.map((size) => size[key])
    const values = [
      offerings.map(() => newId()),
      column('name'),
      column('displayName'),
      column('cpu'),
      column('memoryMi'),
      column('dedicated'),
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
