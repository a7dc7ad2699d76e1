import { expect, test } from 'vitest'
import { notRun, type Result } from './run-step.ts'
import { schedule } from './schedule.ts'
import { selected, steps, type Step } from './steps.ts'

const step = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  run: [],
  kind: 'check',
  limitSeconds: 1,
  ...more,
})
const result = (name: string, failed: number): Result => ({
  name,
  passed: 1 - failed,
  failed,
  failures: [],
  skipped: 0,
  seconds: 0,
  trouble: '',
  output: '',
})

async function played(list: readonly Step[], broken: readonly string[] = []) {
  const running = new Set<string>()
  const seen: string[][] = []
  const results = await schedule(list, {
    run: async ({ name }) => {
      running.add(name)
      seen.push([...running])
      // Two turns, so that a neighbour would get its chance to start.
      await Promise.resolve().then(() => undefined)
      running.delete(name)
      return result(name, broken.includes(name) ? 1 : 0)
    },
    refuse: notRun,
  })
  return { results, seen }
}

test('two steps run at a time, a lone one by itself', async () => {
  const { results, seen } = await played([
    step('a'),
    step('b'),
    step('c'),
    step('alone', { alone: true }),
    step('d'),
  ])
  expect(results.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'alone', 'd'])
  expect(Math.max(...seen.map((names) => names.length))).toBe(2)
  expect(seen.filter((names) => names.includes('alone'))).toEqual([['alone']])
})

test('a failed step stops no other, except those that need it', async () => {
  const list = [
    step('build'),
    step('lint'),
    step('suite', { after: ['build'] }),
    step('e2e', { needs: ['build'] }),
  ]
  const { results } = await played(list, ['build'])
  expect(results.map(({ name, failed }) => [name, failed])).toEqual([
    ['build', 1],
    ['lint', 0],
    ['suite', 0],
    ['e2e', 1],
  ])
  expect(results.at(-1)?.trouble).toContain('build failed')
})

test('a selection brings along what it needs, and every name that a step waits for exists', () => {
  expect(selected(['lint']).map(({ name }) => name)).toEqual(['lint'])
  expect(selected(['e2e']).map(({ name }) => name)).toEqual(['build', 'browser', 'e2e'])
  expect(selected([])).toEqual(steps)
  expect(selected(['nothing of this name'])).toEqual([])
  const names = steps.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(steps.flatMap((each) => [...(each.after ?? []), ...(each.needs ?? [])])),
  )
})
