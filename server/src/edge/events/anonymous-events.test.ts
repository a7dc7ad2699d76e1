import { expect, test } from 'vitest'
import { createHub } from '../../engine/changes/hub.ts'
import { systemClock } from '../../runtime/clock.ts'
import { anonymousEventsOn } from './anonymous-events.ts'

test('an address with too many event streams is refused until it closes one', () => {
  const changeLog = { read: () => Promise.reject(new Error('no subscription resumes here')) }
  const events = anonymousEventsOn(createHub({ changeLog, clock: systemClock }), systemClock)
  const open = () => events.open('192.0.2.1')
  const [first] = Array.from({ length: 200 }, open)
  expect(open).toThrow(
    expect.objectContaining({
      userMessage: expect.objectContaining({ key: 'access.events_too_often_anonymous' }),
    }),
  )
  first?.close()
  expect(open).not.toThrow()
})
