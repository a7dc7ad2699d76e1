import { expect, test } from 'vitest'
import { tempTree } from '../temp-tree.ts'
import { typeErrors } from './typed.ts'

const tsconfig = (more: string) =>
  `{ "compilerOptions": { "strict": true, "target": "es2024", "noUnusedLocals": true${more} } }`

test('a type error and a finding of a typed rule are reported with the options of the nearest tsconfig', async () => {
  const code = 'enum Odd {}\nexport const one: number = "text"\nPromise.resolve(1)\n'
  using tree = tempTree({
    'server/tsconfig.json': tsconfig(''),
    'server/strict/tsconfig.json': tsconfig(', "erasableSyntaxOnly": true'),
    'server/planted.ts': code,
    'server/strict/planted.ts': code,
    'server/good.ts': 'export const one = 1\n',
  })
  const found = await typeErrors(tree.root, ['server'])
  const rulesIn = (file: string) =>
    found.filter((each) => each.file === file).map(({ rule, line }) => `${rule} ${line}`)
  const everywhere = ['@typescript-eslint/no-floating-promises 3', 'TS2322 2', 'TS6196 1']
  expect(rulesIn('server/planted.ts').toSorted()).toEqual(everywhere)
  expect(rulesIn('server/strict/planted.ts').toSorted()).toEqual(
    [...everywhere, 'TS1294 1'].toSorted(),
  )
  expect(rulesIn('server/good.ts')).toEqual([])
})
