import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'
import { createLog } from './log.ts'
import { createStop } from './stop.ts'

const log = createLog('silent')

function aStop() {
  const closed: string[] = []
  const stop = createStop({ log, clock: systemClock })
  return { stop, closed, close: (name: string) => () => void closed.push(name) }
}

test('opened parts close in reverse order of their opening', async () => {
  const { stop, closed, close } = aStop()
  for (const name of ['database', 'server', 'loop']) stop.onStop(name, close(name))
  await stop.now('test')
  expect(closed).toEqual(['loop', 'server', 'database'])
})

test('two calls of now() close each part once and wait for the same end', async () => {
  const { stop, closed, close } = aStop()
  stop.onStop('server', close('server'))
  await Promise.all([stop.now('SIGINT'), stop.now('SIGINT')])
  expect(closed).toEqual(['server'])
})

test('a closer that fails or hangs does not prevent the rest from closing', async () => {
  const { stop, closed, close } = aStop()
  stop.onStop('database', close('database'))
  stop.onStop('hanging', () => new Promise<void>(() => undefined), 10)
  stop.onStop('failing', () => Promise.reject(new TypeError('broken')))
  await stop.now('test')
  expect(closed).toEqual(['database'])
})

test('a part that a start opens after the end has begun is closed too', async () => {
  const { stop, closed, close } = aStop()
  stop.onStop('first', close('first'))
  await stop.now('test')
  stop.onStop('late', close('late'))
  await stop.now('test')
  expect(closed).toEqual(['first', 'late'])
  expect(stop.signal.aborted).toBe(true)
})

test('a stop after a delay announces itself first, and closes nothing before the delay is over', async () => {
  const { stop, closed, close } = aStop()
  stop.onStop('server', close('server'))
  const stopping = stop.after(20, 'SIGTERM')
  expect([stop.leaving.aborted, stop.signal.aborted, closed]).toEqual([true, false, []])
  await stopping
  expect([stop.signal.aborted, closed]).toEqual([true, ['server']])
})

test('a stop at once ends the delay of an announced stop', async () => {
  const { stop, closed, close } = aStop()
  stop.onStop('server', close('server'))
  const announced = stop.after(3_600_000, 'SIGTERM')
  await stop.now('uncaught error')
  await announced
  expect(closed).toEqual(['server'])
})
