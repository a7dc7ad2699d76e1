import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../files.ts'
import type { Finding } from '../finding.ts'

const folder = 'docs/decisions'
const maxWords = 200
const numbered = /^(\d{4})-[a-z0-9-]+\.md$/
const parts = [
  { what: 'a title "# NNNN. …"', pattern: /^# \d{4}\. \S/ },
  { what: 'a date', pattern: /^Date: \d{4}-\d{2}-\d{2}$/m },
  { what: 'a status', pattern: /^Status: (accepted|superseded by \[\d{4}\]\(.+\))$/m },
  { what: 'a section "Context"', pattern: /^## Context$/m },
  { what: 'a section "Decision"', pattern: /^## Decision$/m },
  { what: 'a section "Consequences"', pattern: /^## Consequences$/m },
]

/** Requires decisions to be short, in one form, numbered without gaps, and listed in the index. */
export function decisionFindings(root: string): Finding[] {
  const names = filesOf(root)
    .filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.md'))
    .map((file) => file.slice(folder.length + 1))
    .filter((name) => name !== 'README.md')
    .sort()
  if (names.length === 0) return []
  const read = (name: string): string => readFileSync(join(root, folder, name), 'utf8')
  const index = existsSync(join(root, folder, 'README.md')) ? read('README.md') : ''
  return [
    ...names.flatMap((name) => [...formFindings(name, read(name)), ...listFindings(name, index)]),
    ...numberFindings(names),
  ]
}

function formFindings(name: string, text: string): Finding[] {
  const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
  const missing = parts
    .filter(({ pattern }) => !pattern.test(text))
    .map(({ what }) => found(name, 'decision form', `has no ${what.replace(/^an? /, '')}`))
  return words > maxWords
    ? [...missing, found(name, 'decision length', `has ${words} words; ${maxWords} is the limit`)]
    : missing
}

function listFindings(name: string, index: string): Finding[] {
  return index.includes(`](${name})`)
    ? []
    : [found(name, 'decision index', 'is not listed in docs/decisions/README.md')]
}

function numberFindings(names: readonly string[]): Finding[] {
  const unnumbered = names
    .filter((name) => !numbered.test(name))
    .map((name) => found(name, 'decision numbers', 'has no number: rename it to NNNN-title.md'))
  const misnumbered = names
    .filter((name) => numbered.test(name))
    .map((name, index) => ({ name, expected: String(index + 1).padStart(4, '0') }))
    .filter(({ name, expected }) => !name.startsWith(expected))
    .map(({ name, expected }) => found(name, 'decision numbers', `should have number ${expected}`))
  return [...unnumbered, ...misnumbered]
}

function found(name: string, rule: string, message: string): Finding {
  return { file: `${folder}/${name}`, rule, message }
}
