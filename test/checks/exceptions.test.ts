import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { excuse, exceptionsOf, listBefore, listProblems, type ExceptionList } from './exceptions.ts'
import { root } from './run-check.ts'
import { tempTree } from './temp-tree.ts'

const finding = { file: 'server/src/a.ts', rule: 'complexity', message: 'too complex' }
const entry = {
  file: finding.file,
  rule: finding.rule,
  reason: 'the parser follows the grammar one to one',
}
const list = (most: number, ...entries: ExceptionList['entries']): ExceptionList => ({
  most,
  entries,
})

test('an entry applies to its rule in its file only', () => {
  expect(excuse([finding], list(1, entry), 'lint')).toEqual([])
  expect(
    excuse([{ ...finding, file: 'server/src/b.ts' }, finding], list(1, entry), 'lint'),
  ).toHaveLength(1)
  expect(excuse([{ ...finding, rule: 'max-lines' }, finding], list(1, entry), 'lint')).toHaveLength(
    1,
  )
})

test('an entry that excuses nothing is a finding', () => {
  expect(excuse([], list(1, entry), 'lint')).toMatchObject([
    { rule: 'unused exception', file: 'test/exceptions/lint.json' },
  ])
})

test('a list must not exceed its limit, and each reason needs words', () => {
  expect(listProblems(list(0, entry), null)).toHaveLength(1)
  expect(listProblems(list(1, { ...entry, reason: 'legacy' }), null)).toHaveLength(1)
  expect(listProblems(list(1, entry), null)).toEqual([])
})

test('a list may only shrink', () => {
  expect(listProblems(list(3), list(2))).toHaveLength(1)
  expect(listProblems(list(2), list(2))).toEqual([])
  expect(listProblems(list(1), list(2))).toEqual([])
})

test('the earlier list is the one of HEAD for uncommitted work, and the one of its parent after the commit', () => {
  using tree = tempTree({})
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: tree.root,
      stdio: 'ignore',
    })
  const write = (most: number) => {
    mkdirSync(join(tree.root, 'test/exceptions'), { recursive: true })
    writeFileSync(join(tree.root, 'test/exceptions/lint.json'), JSON.stringify(list(most)))
  }
  write(1)
  expect(listBefore(tree.root, 'lint')).toBeNull()
  git('init')
  git('add', '.')
  git('commit', '-m', 'one')
  write(2)
  expect(listBefore(tree.root, 'lint')).toMatchObject({ most: 1 })
  git('commit', '-am', 'two')
  expect(listBefore(tree.root, 'lint')).toMatchObject({ most: 1 })
})

test.for(['arrows', 'lint', 'tree'])(
  'the committed list of %s has reasons and has not grown',
  (check) => {
    expect(listProblems(exceptionsOf(root, check), listBefore(root, check))).toEqual([])
  },
)
