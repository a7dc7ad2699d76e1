import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempTree } from '../temp-tree.ts'
import { listFindings, printLists } from './print-lists.ts'

const messages = {
  'schema/messages/en/vm.ts': "export const vm = { 'vm.name': 'a name' } as const\n",
  'schema/messages/pt-BR/locale.ts': 'export const locale = null\n',
  'schema/messages/pt-BR/vm.ts': "export const vm = { 'vm.name': 'um nome' }\n",
}

test('a list has the exports of all files, and a language has lists of its own', async () => {
  using tree = tempTree({
    ...messages,
    'server/src/store/vm/noun.ts': 'export const vmNoun = { keys: {} }\n',
    'server/src/store/ssh-key/noun.ts':
      'const unlisted = 1\nexport const sshKeyNoun = { unlisted }\n',
    'server/src/store/ssh-key/ssh-key.ts': 'export const otherNoun = 1\n',
    'server/src/reconcile/vm/vm.ts':
      'export function vmReconciler(): void {}\nexport const retryNoun = 1\n',
    'server/src/reconcile/vm/vm.test.ts': 'export const testReconciler = 1\n',
  })
  await printLists(tree.root)
  const printed = (file: string) => readFileSync(join(tree.root, file), 'utf8')
  expect(printed('server/src/store/nouns.ts').split('\n').slice(1)).toEqual([
    "import { sshKeyNoun } from './ssh-key/noun.ts'",
    "import { vmNoun } from './vm/noun.ts'",
    '',
    '/** Every noun of the store. */',
    'export const nouns = [sshKeyNoun, vmNoun] as const',
    '',
  ])
  expect(printed('server/src/reconcile/nouns.ts')).toContain('reconcilers = [vmReconciler] as')
  expect(printed('schema/messages/en/en.ts')).toContain('export const en = { ...vm }')
  expect(printed('schema/messages/pt-BR/catalogue.ts')).toContain('catalogue = { ...vm }')
  expect(await listFindings(tree.root)).toEqual([])
})

test('the check reports a list that lacks a file or has a line of its own', async () => {
  using tree = tempTree(messages)
  await printLists(tree.root)
  writeFileSync(join(tree.root, 'schema/messages/en/nic.ts'), 'export const nic = {} as const\n')
  writeFileSync(join(tree.root, 'schema/messages/pt-BR/catalogue.ts'), 'export const mine = 1\n')
  expect((await listFindings(tree.root)).map(({ file, rule }) => [file, rule])).toEqual([
    ['schema/messages/en/en.ts', 'lists are printed'],
    ['schema/messages/pt-BR/catalogue.ts', 'lists are printed'],
  ])
})
