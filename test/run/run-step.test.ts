import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempTree } from '../checks/temp-tree.ts'
import { runStep } from './run-step.ts'
import { failureText, resultLine, totals } from './screen.ts'
import type { Step } from './steps.ts'
import { tallyFrom } from './test-lines.ts'

const program = (code: string, more: Partial<Step> = {}): Step => ({
  name: 'x',
  run: ['-e', code],
  kind: 'check',
  limitSeconds: 20,
  ...more,
})

async function ran(step: Step, lines = '') {
  using tree = tempTree({ 'x.jsonl': lines })
  return await runStep(step, {
    root: tree.root,
    scratch: tree.root,
    secondsLeft: () => 30,
    colour: false,
  })
}

test('a check counts as one result by its exit code and keeps its output', async () => {
  expect(await ran(program('process.stdout.write("fine")'))).toMatchObject({
    passed: 1,
    failed: 0,
    output: 'fine',
  })
  expect(await ran(program('process.stderr.write("bad"); process.exit(3)'))).toMatchObject({
    passed: 0,
    failed: 1,
    output: 'bad',
  })
})

test('a step beyond its limit is stopped with its children and fails', async () => {
  const parent =
    'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000)'
  expect(await ran(program(parent, { limitSeconds: 0.5 }))).toMatchObject({
    passed: 0,
    failed: 1,
    trouble: 'was stopped at its time limit',
  })
})

const line = (state: string) => `{"state":"${state}","name":"n","file":"f"}\n`

test('each test of a step counts as one result', async () => {
  const lines = line('passed').repeat(3) + line('failed') + line('skipped') + line('end')
  expect(await ran(program('process.exit(1)', { kind: 'tests' }), lines)).toMatchObject({
    passed: 3,
    failed: 1,
    failures: ['f > n'],
    skipped: 1,
  })
})

test('a test run that dies or fails without a failed test counts one more failure', async () => {
  expect(await ran(program('process.exit(0)', { kind: 'tests' }), line('passed'))).toMatchObject({
    passed: 1,
    failed: 1,
  })
  expect(
    await ran(program('process.exit(1)', { kind: 'tests' }), line('passed') + line('end')),
  ).toMatchObject({ passed: 1, failed: 1 })
  expect(await ran(program('process.exit(1)', { kind: 'tests' }))).toMatchObject({
    passed: 0,
    failed: 1,
  })
})

test('a partly written result is read the next time', () => {
  using tree = tempTree({})
  const file = join(tree.root, 'lines')
  expect(tallyFrom(file)).toMatchObject({ passed: 0, finished: false })
  writeFileSync(file, `${line('passed')}{"state":"pas`)
  expect(tallyFrom(file)).toMatchObject({ passed: 1, finished: false })
})

test('the summary adds up the results and shows the output of failed steps', () => {
  const common = { failures: [], skipped: 0, seconds: 1, trouble: '' }
  const results = [
    { ...common, name: 'lint', passed: 1, failed: 0, output: 'quiet' },
    {
      ...common,
      name: 'suite',
      passed: 40,
      failed: 2,
      failures: ['a.test.ts > adds: expected 1 to be 2'],
      output: 'expected 1 to be 2',
    },
  ]
  expect(totals(results)).toEqual({ passed: 41, failed: 2 })
  expect(failureText(results)).toContain('expected 1 to be 2')
  expect(failureText(results)).not.toContain('quiet')
  expect(results.map(resultLine).join('\n')).toMatch(
    /ok {4}lint[\s\S]*FAIL {2}suite.*40 passed, 2 failed\n +a\.test\.ts > adds/,
  )
})
