import { expect, test } from 'vitest'
import type { OperationRow } from '../../api/operations.ts'
import type { VmEventRow } from '../../api/vm/vm-events.ts'
import { timeLineOf } from './time-line.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
// Of a row only its id and its time matter here.
const asked = (...seconds: number[]) =>
  seconds.map((second) => ({ id: `asked ${second}`, createdAt: at(second) }) as OperationRow)
const seen = (...seconds: number[]) =>
  seconds.map((second) => ({ id: `seen ${second}`, at: at(second) }) as VmEventRow)
const told = (...[operations, events]: Parameters<typeof timeLineOf>) =>
  timeLineOf(operations, events).map((moment) =>
    'event' in moment ? moment.event.id : moment.operation.id,
  )

test('what was asked for and what was seen are told in one order, newest first, and the wish before what came of it', () => {
  const whole = { hasMore: false }
  expect(told({ rows: asked(9, 4, 1), ...whole }, { rows: seen(10, 4, 3), ...whole })).toEqual([
    'seen 10',
    'asked 9',
    'seen 4',
    'asked 4',
    'seen 3',
    'asked 1',
  ])
  expect(told({ rows: [], ...whole }, { rows: [], ...whole })).toEqual([])
})

test('nothing is told of a time of which one of them is not loaded', () => {
  expect(told({ rows: asked(9, 1), hasMore: false }, { rows: seen(10, 5), hasMore: true })).toEqual(
    ['seen 10', 'asked 9', 'seen 5'],
  )
  expect(told({ rows: asked(9, 7), hasMore: true }, { rows: seen(10, 5), hasMore: true })).toEqual([
    'seen 10',
    'asked 9',
    'asked 7',
  ])
})
