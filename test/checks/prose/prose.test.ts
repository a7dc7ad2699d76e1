import { describe, expect, test } from 'vitest'
import { tempTree } from '../temp-tree.ts'
import { proseFindings } from './prose.ts'

const file = 'server/src/usecases/planted.ts'
const testFile = 'server/src/usecases/planted.test.ts'
const planted = (path: string, text: string): string[] => {
  using tree = tempTree({ [path]: text })
  return proseFindings(tree.root).map(({ rule, line }) => `${rule}:${line}`)
}
const words = (count: number): string => 'word '.repeat(count).trim()

describe('comments', () => {
  test.for([
    '// Of the VM that is gone.\n',
    '/** What the cluster last showed. */\n',
    '// That is so because of KubeVirt.\n',
    '// Nothing happens until somebody asks.\n',
    '/** The key is made anew. */\n',
    `/** The VM has ${words(23)}. */\n`,
    '/**\n * The VM starts.\n *\n * - whatever the reconciler finds\n */\n',
    'const a = 1 // Where the VM is.\n',
  ])('a comment that is hard to read is found: %s', (comment) => {
    expect(planted(file, `${comment}export {}\n`)).toEqual(['plain comments:1'])
  })

  test('comments of components, templates and migrations are read as well', () => {
    const component =
      '<script setup lang="ts">\n// Of the page.\n</script>\n<!-- What it shows. -->\n'
    expect(planted('web/src/ui/Planted.vue', component)).toEqual([
      'plain comments:2',
      'plain comments:4',
    ])
    expect(planted('server/src/store/migrations/1.sql', 'select 1;\n-- Of the\n-- row.\n')).toEqual(
      ['plain comments:2'],
    )
  })

  test.for([
    '// The lease lapses, and then the next\n// worker takes the key.\n',
    '/** Null means "not cached". */\n',
    '// `whatever` is the name of the field.\n',
    '// eslint-disable-next-line no-undef\n',
    `/**\n * The VM has ${words(15)}.\n * The VMI has ${words(15)}.\n */\n`,
  ])('a plain comment is left alone: %s', (comment) => {
    expect(planted(file, `${comment}export {}\n`)).toEqual([])
  })
})

describe('test titles', () => {
  test.for([
    'keeps its address',
    'with a network it keeps its address',
    'that is not to start is deployed and stays off',
    'a network of another tenant',
    'what ends too early is refused',
    'a port that nobody has is refused',
    '%s',
  ])('a title that cannot stand alone is found: %s', (title) => {
    expect(planted(testFile, `test('${title}', () => {})\n`)).toEqual(['test titles:1'])
  })

  test.for([
    'a stopped VM keeps its address for five minutes',
    'F-21: the watch reconnects after a clean close',
    'lists of volumes show the newest first',
    'a spec is refused: %s',
  ])('a title with subject and verb is left alone: %s', (title) => {
    expect(planted(testFile, `test('${title}', () => {})\ntest.for([1])('${title}', f)\n`)).toEqual(
      [],
    )
  })
})

describe('names and texts', () => {
  test.for([
    'export const glanceAt = 1\n',
    'export interface SeenVm {}\n',
    'export interface Vm {\n  wantedDisk: string\n}\n',
    'export function run(asked: string) {}\n',
  ])('a house word in a name is found: %s', (code) => {
    expect(planted(file, code).map((each) => each.split(':')[0])).toEqual(['field words'])
  })

  test('a house word in the name of a file is found', () => {
    expect(planted('server/src/reconcile/vm-glance.ts', 'export {}\n')).toEqual([
      'field words:undefined',
    ])
  })

  test('names of libraries and of the published contract are left alone', () => {
    expect(planted(file, 'const sameSite = 1\nconst virtualMachine = sameSite\n')).toEqual([])
  })

  test('a log message that is a sentence is found, an event name is not', () => {
    expect(planted(file, "log.info('a key is given up')\n")).toEqual(['log events:1'])
    expect(planted(file, "log.info('reconcile.key_given_up', { id })\n")).toEqual([])
  })

  test('messages, descriptions of the schema and documents are read', () => {
    expect(
      planted('schema/messages/en/vm.ts', "export const vm = {\n  'vm.a': 'Of the VM.',\n}\n"),
    ).toEqual(['plain messages:2'])
    expect(
      planted('schema/schema.graphql', '"""What it is."""\ntype A {\n  "Of b"\n  b: Int\n}\n'),
    ).toEqual(['plain descriptions:1', 'plain descriptions:3'])
    expect(
      planted('schema/rest.openapi.json', '{\n"description": "For whoever asks."\n}\n'),
    ).toEqual(['plain descriptions:2'])
    expect(planted('docs/a.md', '# A\n\nThe VM waits for somebody.\n')).toEqual([
      'plain documents:3',
    ])
  })
})
