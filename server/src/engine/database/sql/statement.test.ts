import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { slot, statement } from './statement.ts'

test('two builders with the same shape have separate statements', () => {
  const first = statement('same', (db) => db.selectNoFrom(sql<number>`${slot('a')}::int`.as('one')))
  const second = statement('same', (db) =>
    db.selectNoFrom(sql<string>`${slot('b')}::text`.as('two')),
  )
  expect([first.text, second.text]).toEqual(['select $1::int as "one"', 'select $1::text as "two"'])
  expect(second.name).not.toBe(first.name)
  expect(second.bind({ a: 1, b: '2' })).toEqual(['2'])
})

test('a statement is built once, and one text has the same name in all shapes', () => {
  let built = 0
  const request = (shape: string) =>
    statement(shape, (db) => {
      built++
      return db.selectNoFrom(sql<number>`${slot('n')}::int`.as('n'))
    })
  expect(request('once')).toBe(request('once'))
  expect(built).toBe(1)
  expect(request('again').name).toBe(request('once').name)
})
