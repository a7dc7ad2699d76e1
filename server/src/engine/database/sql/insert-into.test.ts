import { expect, test } from 'vitest'
import { insertInto } from './insert-into.ts'
import { type Reader } from './reader.ts'
import { type Statement } from './statement.ts'

interface Sent {
  name: string
  text: string
  values: unknown[]
}

/** Records the statements and answers each with one row. */
function recorder(): { reader: Reader; sent: Sent[] } {
  const sent: Sent[] = []
  const all = async <Row>({ name, text, bind }: Statement<Row>, args: object): Promise<Row[]> => {
    sent.push({ name, text, values: bind({ ...args }) })
    // The tested code only returns the row.
    return [{ id: 'a' } as Row]
  }
  return { reader: { tenantId: null, all }, sent }
}

const insert = insertInto('ssh_key', (row) => row.returning('id'))
const key = { id: 'a', tenantId: 't', name: 'n', publicKey: 'k', fingerprint: 'f' }

test('an insert names the columns of the given properties and omits columns with a default', async () => {
  const { reader, sent } = recorder()
  expect(await insert(reader, key)).toEqual({ id: 'a' })
  expect(sent[0]).toMatchObject({
    text: 'insert into "ssh_key" ("id", "tenant_id", "name", "public_key", "fingerprint") values ($1, $2, $3, $4, $5) returning "id"',
    values: ['a', 't', 'n', 'k', 'f'],
  })
})

test('each set of properties has its own statement, which is built once', async () => {
  const { reader, sent } = recorder()
  await insert(reader, key)
  await insert(reader, { ...key, version: 2 })
  await insert(reader, { ...key, name: 'other' })
  expect(sent.map(({ name }) => name)).toEqual([sent[0]?.name, expect.anything(), sent[0]?.name])
  expect(sent[1]?.text).toContain('"version"')
  expect(sent[1]?.name).not.toBe(sent[0]?.name)
})
