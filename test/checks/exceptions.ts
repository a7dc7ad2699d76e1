import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'

/**
 * `test/exceptions/<check>.json` lists the findings that a check ignores, with reasons. `most`
 * limits the length of the list and may only shrink.
 */
export interface ExceptionList {
  readonly most: number
  readonly entries: readonly {
    readonly file: string
    readonly rule: string
    readonly reason: string
  }[]
}

/** Reads the exception list of a check. */
export function exceptionsOf(root: string, check: string): ExceptionList {
  // `listProblems` checks the content of the committed file.
  return JSON.parse(readFileSync(join(root, pathOf(check)), 'utf8')) as ExceptionList
}

/**
 * Returns the findings that no entry excuses, and a finding for each entry that excuses nothing.
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
 * Returns the problems of the list itself. `before` is the list of the previous commit, if there is
 * one.
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
 * Returns the list before the present change: the one of HEAD for uncommitted work, the one of its
 * parent after the commit.
 */
export function listBefore(root: string, check: string): ExceptionList | null {
  const now = readFileSync(join(root, pathOf(check)), 'utf8')
  const head = committed(root, 'HEAD', check)
  const before = head === now ? committed(root, 'HEAD~1', check) : head
  // An earlier commit of this file wrote the JSON.
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
    // There is no git, no such commit (a shallow clone) or no such file yet, so there is nothing to
    // compare.
    return null
  }
}

const pathOf = (check: string): string => `test/exceptions/${check}.json`
