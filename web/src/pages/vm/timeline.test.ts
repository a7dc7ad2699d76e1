import { expect, test } from 'vitest'
import type { OperationRow } from '../../api/operations.ts'
import type { VmEventRow } from '../../api/vm/vm-events.ts'
import { timelineOf } from './timeline.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
// Only the id and the time of a row matter here.
const operationsAt = (...seconds: number[]) =>
  seconds.map((second) => ({ id: `operation ${second}`, createdAt: at(second) }) as OperationRow)
const eventsAt = (...seconds: number[]) =>
  seconds.map((second) => ({ id: `event ${second}`, at: at(second) }) as VmEventRow)
const idsOf = (...[operations, events]: Parameters<typeof timelineOf>) =>
  timelineOf(operations, events).map((moment) =>
    'event' in moment ? moment.event.id : moment.operation.id,
  )

test('the timeline merges operations and events, newest first, with an operation below its event', () => {
  const whole = { hasMore: false }
  expect(
    idsOf({ rows: operationsAt(9, 4, 1), ...whole }, { rows: eventsAt(10, 4, 3), ...whole }),
  ).toEqual(['event 10', 'operation 9', 'event 4', 'operation 4', 'event 3', 'operation 1'])
  expect(idsOf({ rows: [], ...whole }, { rows: [], ...whole })).toEqual([])
})

test('the timeline ends where one of both lists is not loaded yet', () => {
  expect(
    idsOf({ rows: operationsAt(9, 1), hasMore: false }, { rows: eventsAt(10, 5), hasMore: true }),
  ).toEqual(['event 10', 'operation 9', 'event 5'])
  expect(
    idsOf({ rows: operationsAt(9, 7), hasMore: true }, { rows: eventsAt(10, 5), hasMore: true }),
  ).toEqual(['event 10', 'operation 9', 'operation 7'])
})
