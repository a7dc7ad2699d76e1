import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../checks/run-check.ts'
import { tempTree } from '../checks/temp-tree.ts'
import { tallyFrom } from './test-lines.ts'

const vitest = join(root, 'test/node_modules/vitest/vitest.mjs')
const reporter = join(root, 'test/run/vitest-reporter.ts')

function tallyOf(files: Readonly<Record<string, string>>) {
  using tree = tempTree({ 'package.json': '{ "type": "module" }', ...files })
  const lines = join(tree.root, 'lines.jsonl')
  const { VITEST: _outer, ...env } = process.env
  spawnSync(
    process.execPath,
    [vitest, 'run', '--globals', '--root', tree.root, `--reporter=${reporter}`],
    {
      cwd: tree.root,
      env: { ...env, BERTH_TEST_LINES: lines },
      timeout: 40_000,
    },
  )
  return tallyFrom(lines)
}

test('passed, failed and skipped tests are reported one by one', () => {
  const mixed =
    "test('a', () => {})\ntest('b', () => { throw new TypeError('b') })\ntest.skip('c', () => {})\n"
  expect(tallyOf({ 'mixed.test.js': mixed })).toEqual({
    passed: 1,
    failed: 1,
    failures: ['mixed.test.js > b: b'],
    skipped: 1,
    finished: true,
  })
})

test('a failure outside of a test is reported: a file that cannot load, a hook, a floating promise', () => {
  expect(
    tallyOf({ 'broken.test.js': "import './absent.js'\ntest('a', () => {})\n" }),
  ).toMatchObject({
    passed: 0,
    failed: 1,
    finished: true,
  })
  const hook =
    "describe('d', () => {\n  beforeAll(() => { throw new TypeError('hook') })\n  test('a', () => {})\n})\n"
  expect(tallyOf({ 'hook.test.js': hook }).failed).toBeGreaterThan(0)
  const forgotten = "test('a', () => { Promise.reject(new TypeError('not awaited')) })\n"
  expect(tallyOf({ 'forgotten.test.js': forgotten })).toMatchObject({
    passed: 1,
    failed: 1,
    finished: true,
  })
})
