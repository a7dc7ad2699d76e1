import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'

/**
 * `test/exceptions/<check>.json`: what a check overlooks, and why. `most` is how long the list may
 * be; it may only shrink.
 */
export interface ExceptionList {
  readonly most: number
  readonly entries: readonly {
    readonly file: string
    readonly rule: string
    readonly reason: string
  }[]
}

export function exceptionsOf(root: string, check: string): ExceptionList {
  // The file is ours and `listProblems` looks at what could be wrong in it.
  return JSON.parse(readFileSync(join(root, pathOf(check)), 'utf8')) as ExceptionList
}

/**
 * The findings that no entry excuses, and a finding for each entry that excuses nothing any more.
 */
export function excuse(
  findings: readonly Finding[],
  list: ExceptionList,
  check: string,
): Finding[] {
  const matches = (finding: Finding, entry: { file: string; rule: string }) =>
    finding.file === entry.file && finding.rule === entry.rule
  const left = findings.filter((finding) => !list.entries.some((entry) => matches(finding, entry)))
  const unused = list.entries.filter(
    (entry) => !findings.some((finding) => matches(finding, entry)),
  )
  const stale = unused.map(({ file, rule }) => ({
    file: pathOf(check),
    rule: 'unused exception',
    message: `${file} no longer breaks ${rule}: remove the entry and lower "most"`,
  }))
  return [...left, ...stale]
}

/**
 * What is wrong with the list itself; `before` is the list of the commit before, when there is one.
 */
export function listProblems(list: ExceptionList, before: ExceptionList | null): string[] {
  const problems = list.entries
    .filter((entry) => entry.reason.trim().length < 10)
    .map((entry) => `${entry.file} (${entry.rule}) needs a reason in words`)
  if (list.entries.length > list.most)
    problems.push(`has ${list.entries.length} entries, "most" allows ${list.most}`)
  if (before && list.most > before.most)
    problems.push(`raises "most" from ${before.most} to ${list.most}; the list may only shrink`)
  return problems
}

/**
 * The list before the present change: of HEAD while the work is not committed, of its parent after
 * that.
 */
export function listBefore(root: string, check: string): ExceptionList | null {
  const now = readFileSync(join(root, pathOf(check)), 'utf8')
  const head = committed(root, 'HEAD', check)
  const before = head === now ? committed(root, 'HEAD~1', check) : head
  // Written by an earlier commit of this same file.
  return before === null ? null : (JSON.parse(before) as ExceptionList)
}

function committed(root: string, revision: string, check: string): string | null {
  try {
    return execFileSync('git', ['show', `${revision}:${pathOf(check)}`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    // No git, no such commit (a shallow clone) or no such file yet: there is nothing to compare
    // with.
    return null
  }
}

const pathOf = (check: string): string => `test/exceptions/${check}.json`
