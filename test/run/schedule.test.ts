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

async function simulate(list: readonly Step[], broken: readonly string[] = []) {
  const running = new Set<string>()
  const observed: string[][] = []
  const results = await schedule(list, {
    run: async ({ name }) => {
      running.add(name)
      observed.push([...running])
      // Two microtask turns, so that another step could start.
      await Promise.resolve().then(() => undefined)
      running.delete(name)
      return result(name, broken.includes(name) ? 1 : 0)
    },
    refuse: notRun,
  })
  return { results, observed }
}

test('two steps run at a time, and a lone step runs by itself', async () => {
  const { results, observed } = await simulate([
    step('a'),
    step('b'),
    step('c'),
    step('alone', { alone: true }),
    step('d'),
  ])
  expect(results.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'alone', 'd'])
  expect(Math.max(...observed.map((names) => names.length))).toBe(2)
  expect(observed.filter((names) => names.includes('alone'))).toEqual([['alone']])
})

test('a failed step stops only the steps that need it', async () => {
  const list = [
    step('build'),
    step('lint'),
    step('suite', { after: ['build'] }),
    step('e2e', { needs: ['build'] }),
  ]
  const { results } = await simulate(list, ['build'])
  expect(results.map(({ name, failed }) => [name, failed])).toEqual([
    ['build', 1],
    ['lint', 0],
    ['suite', 0],
    ['e2e', 1],
  ])
  expect(results.at(-1)?.trouble).toContain('build failed')
})

test('a selection includes the needed steps, and every step name in a dependency exists', () => {
  expect(selected(['lint']).map(({ name }) => name)).toEqual(['lint'])
  expect(selected(['e2e']).map(({ name }) => name)).toEqual(['build', 'browser', 'e2e'])
  expect(selected([])).toEqual(steps)
  expect(selected(['nothing of this name'])).toEqual([])
  const names = steps.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(steps.flatMap((each) => [...(each.after ?? []), ...(each.needs ?? [])])),
  )
})
