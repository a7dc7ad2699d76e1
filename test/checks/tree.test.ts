import { expect, test } from 'vitest'
import { folderFindings, pathFindings, textFindings } from './tree.ts'

test.for([
  ['folder depth', 'server/src/edge/graphql/vm/types/input.ts'],
  ['plain folder names', 'server/src/store/utils/rows.ts'],
  ['plain folder names', 'web/src/handlers/vm.ts'],
  ['plain file names', 'web/src/api/session-helper.ts'],
  ['plain file names', 'server/src/store/vm-manager.ts'],
  ['plain file names', 'server/src/store/vm-data.ts'],
  ['no barrels', 'server/src/store/index.ts'],
] as const)('the check enforces %s: %s', ([rule, file]) => {
  expect(pathFindings(file).map((finding) => finding.rule)).toEqual([rule])
})

test.for([
  'server/src/edge/graphql/vm/resolver.ts',
  'server/src/cluster/kubevirt/data-volume.ts',
  'server/src/bin/start.ts',
  'test/support/index.ts',
])('the check accepts a good name: %s', (file) => {
  expect(pathFindings(file)).toEqual([])
})

test.for(['home', 'Users'])('the check reports a local path: /%s/…', (folder) => {
  expect(textFindings('README.md', `first\ncd /${folder}/ann/berth`)).toMatchObject([
    { line: 2, rule: 'no local paths' },
  ])
})

test('the check accepts addresses and keys that only look like a path', () => {
  expect(
    textFindings(
      'a.ts',
      'https://berth.example/home/\n~/work/x\n/home/debian/.ssh/authorized_keys',
    ),
  ).toEqual([])
})

test.for(['server/src/store/migrations', 'server/sandbox/kinds', 'web/src/pages/vm', 'test/flows'])(
  'the check reports a folder with 26 files, tests included: %s',
  (folder) => {
    const names = Array.from({ length: 25 }, (_, index) => `${folder}/file-${index}.ts`)
    const elsewhere = [`${folder}/nested/file.ts`, `docs/decisions/file.md`]
    expect(folderFindings([...names, ...elsewhere])).toEqual([])
    expect(folderFindings([...names, `${folder}/one.test.ts`, ...elsewhere])).toMatchObject([
      { file: folder, rule: 'folder size' },
    ])
  },
)
