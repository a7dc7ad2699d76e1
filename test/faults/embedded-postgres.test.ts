import { expect, test } from 'vitest'
import { aDatabase } from '../support/postgres.ts'

test('each caller gets a database of its own', async () => {
  const one = await aDatabase()
  const two = await aDatabase()
  await one.sql('create table mine (id int)')
  expect(await two.sql(`select to_regclass('mine') as it`)).toEqual([{ it: null }])
  await one.drop()
  await two.drop()
})
