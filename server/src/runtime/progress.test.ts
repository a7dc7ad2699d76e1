import { expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { createProgress } from './progress.ts'

function aScreen(isTerminal: boolean) {
  let shown = ''
  let elapsed = 0
  const clock = { elapsedMs: () => (elapsed += 450) } as Clock // progress uses nothing else
  return {
    progress: createProgress({ isTerminal, write: (text) => void (shown += text) }, clock),
    shown: () => shown,
  }
}

test('createProgress writes one whole line per step to a file', async () => {
  const { progress, shown } = aScreen(false)
  await progress.step('Building the console', () => Promise.resolve())
  expect(shown()).toBe('Building the console … 0.5 s\n')
})

test('createProgress keeps the lines of concurrent steps apart on a terminal', async () => {
  const { progress, shown } = aScreen(true)
  const first = Promise.withResolvers<undefined>()
  const one = progress.step('One', () => first.promise)
  await progress.step('Two', () => Promise.resolve())
  first.resolve(undefined)
  await one
  expect(shown()).toBe('One …\nTwo … 0.5 s\nOne … 1.4 s\n')
})

test('createProgress reports a failed step and rethrows its error', async () => {
  const { progress, shown } = aScreen(true)
  await expect(progress.step('One', () => Promise.reject(new TypeError('broken')))).rejects.toThrow(
    'broken',
  )
  expect(shown()).toBe('One … failed\n')
})
