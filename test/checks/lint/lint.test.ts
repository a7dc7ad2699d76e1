import { beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../finding.ts'
import { tempTree } from '../temp-tree.ts'
import { bans } from './banned.ts'
import { lintFindings } from './lint.ts'

interface Plant {
  readonly rule: string
  readonly code: string
  readonly file?: string
}

const shipped = 'server/src/usecases/planted.ts'
const inTest = 'server/src/usecases/planted.test.ts'
const many = (count: number, text: (number: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, number) => text(number)).join(between)

const plants: readonly Plant[] = [
  { rule: 'berth/no-process-env', code: 'export const port = process.env.PORT' },
  { rule: 'berth/no-process-env', code: 'export const port = globalThis.process.env.PORT' },
  { rule: 'berth/no-process-env', code: 'const { env } = process\nexport const port = env.PORT' },
  {
    rule: 'berth/no-process-env',
    code: "import { env } from 'node:process'\nexport const port = env.PORT",
  },
  {
    rule: 'berth/no-process-env',
    code: 'export const mode = import.meta.env',
    file: 'web/src/app/planted.ts',
  },
  { rule: 'berth/no-wall-clock', code: 'export const at = Date.now()' },
  { rule: 'berth/no-wall-clock', code: 'export const at = new Date()' },
  { rule: 'berth/no-wall-clock', code: 'export const at = performance.now()' },
  { rule: 'berth/no-wall-clock', code: 'export const at = process.hrtime.bigint()' },
  {
    rule: 'berth/no-wall-clock',
    code: "import { performance } from 'node:perf_hooks'\nexport const at = performance",
  },
  {
    rule: 'berth/no-wall-clock',
    code: 'export const at = Date.now()',
    file: 'server/sandbox/guests/planted.ts',
  },
  { rule: 'berth/no-timers', code: 'setTimeout(() => undefined, 10)' },
  { rule: 'berth/no-timers', code: 'globalThis.setInterval(() => undefined, 10)' },
  {
    rule: 'berth/no-timers',
    code: "import { setTimeout as rest } from 'node:timers/promises'\nawait rest(10)",
  },
  {
    rule: 'berth/no-timers',
    code: 'window.setTimeout(() => undefined, 10)',
    file: 'web/src/app/planted.ts',
  },
  { rule: 'berth/no-console', code: "console.log('here')" },
  { rule: 'berth/no-console', code: "console.log('here')", file: 'web/src/app/planted.ts' },
  {
    rule: 'berth/no-bare-error',
    code: "export function fail(): never {\n  throw new Error('no')\n}",
  },
  { rule: 'berth/no-module-mocks', code: "vi.mock('./store.ts')", file: inTest },
  {
    rule: 'berth/no-sleeps',
    code: 'await new Promise((resolve) => setTimeout(resolve, 50))',
    file: inTest,
  },
  {
    rule: 'berth/no-sleeps',
    code: "import { setTimeout as rest } from 'node:timers/promises'\nawait rest(10)",
    file: inTest,
  },
  { rule: 'berth/no-lone-tests', code: "test.only('a', () => undefined)", file: inTest },
  { rule: 'berth/no-lone-tests', code: "test.only.for([1])('a', () => undefined)", file: inTest },
  { rule: 'berth/no-retries', code: "test('a', { retry: 2 }, () => undefined)", file: inTest },
  {
    rule: 'berth/no-retries',
    code: 'export const config = { test: { retry: 2 } }',
    file: 'test/planted.config.ts',
  },
  { rule: 'berth/no-raw-sql', code: 'export const rows = sql`select 1`' },
  { rule: 'berth/no-raw-sql', code: "export const rows = client.query('select 1')" },
  {
    rule: 'berth/no-raw-sql',
    code: 'export const rows = client.query(`update vm set name = ${name}`)',
  },
  { rule: 'berth/no-module-state', code: 'export let count = 0' },
  { rule: 'berth/no-module-state', code: 'let count = 0\nexport const next = () => ++count' },
  { rule: 'berth/no-module-state', code: 'export const users = new Map<string, number>()' },
  { rule: 'berth/explain-cast', code: 'export const vm = JSON.parse("1") as number' },
  { rule: 'berth/explain-cast', code: 'export const vm = <number>JSON.parse("1")' },
  { rule: 'berth/named-exports', code: "export * from './other.ts'" },
  { rule: 'berth/named-exports', code: 'export default 1' },
  {
    rule: 'berth/no-export-bundles',
    code: 'const one = 1\nconst two = 2\nexport const bundle = { one, two }',
  },
  {
    rule: 'berth/no-packed-literals',
    code: 'const one = 1\nexport const sum = { ...{ one, two: 2 } }',
  },
  { rule: 'berth/no-packed-literals', code: 'export const sum = [1, ...[2, 3]]' },
  { rule: 'max-len', code: `export const sum = ${many(40, (number) => `${number}`, ' + ')}` },
  { rule: 'berth/plain-names', code: 'export class VmManager {\n  count = 1\n}' },
  { rule: 'berth/plain-names', code: 'export const handleStart = () => 1' },
  { rule: 'berth/plain-names', code: 'export function processVm(): number {\n  return 1\n}' },
  { rule: 'berth/plain-names', code: 'export interface VmInfo {\n  name: string\n}' },
  {
    rule: 'no inline exceptions',
    code: '// eslint-disable-next-line eqeqeq\nexport const same = 1',
  },
  {
    rule: 'no-warning-comments',
    code: '// oxlint-disable-next-line no-floating-promises\nPromise.resolve(1)',
  },
  { rule: 'max-lines', code: many(401, (number) => `// line ${number}`) },
  {
    rule: 'max-lines-per-function',
    code: `export function long(): void {\n${many(61, () => '  void 0')}\n}`,
  },
  {
    rule: '@typescript-eslint/max-params',
    code: 'export const add = (a: number, b: number, c: number, d: number) => a + b + c + d',
  },
  {
    rule: 'max-depth',
    code: `export function deep(n: number): void {\n${many(4, (level) => `if (n > ${level}) {`)} void n\n${'}'.repeat(4)}\n}`,
  },
  {
    rule: 'complexity',
    code: `export function twisted(n: number): number {\n${many(10, (step) => `if (n === ${step}) return ${step + 1}`)}\nreturn 0\n}`,
  },
  { rule: '@typescript-eslint/no-explicit-any', code: 'export const anything: any = 1' },
  {
    rule: '@typescript-eslint/no-non-null-assertion',
    code: 'export const first = (list: number[]) => list[0]!',
  },
  { rule: '@typescript-eslint/no-floating-promises', code: 'Promise.resolve(1)' },
  {
    rule: '@typescript-eslint/no-misused-promises',
    code: 'export const odd = Promise.resolve(true) ? 1 : 2',
  },
  {
    rule: '@typescript-eslint/consistent-type-imports',
    code: "import { URL } from 'node:url'\nexport const to = (url: URL) => String(url)",
  },
  {
    rule: '@typescript-eslint/switch-exhaustiveness-check',
    code: "export function act(state: 'on' | 'off'): void {\n  switch (state) {\n    case 'on':\n      break\n  }\n}",
  },
  {
    rule: 'berth/translated-texts',
    code: "export const question = 'Delete the VM'",
    file: 'web/src/app/planted.ts',
  },
  {
    rule: 'berth/translated-texts',
    code: "export const badge = { label: 'Moored' }",
    file: 'web/src/app/planted.ts',
  },
  {
    rule: 'berth/translated-texts',
    code: 'export const question = (name: string) => `Delete ${name}`',
    file: 'web/src/app/planted.ts',
  },
  {
    rule: 'berth/translated-texts',
    code: "<template><p :title=\"0 ? 'Not so' : ''\" /></template>",
    file: 'web/src/ui/planted.vue',
  },
  {
    rule: 'vue/no-bare-strings-in-template',
    code: '<template><p>Moored</p></template>',
    file: 'web/src/ui/planted.vue',
  },
  {
    rule: 'vue/no-bare-strings-in-template',
    code: '<template><p lead="Moored" /></template>',
    file: 'web/src/ui/planted.vue',
  },
  {
    rule: 'vue/no-v-html',
    code: '<template><p v-html="text" /></template>',
    file: 'web/src/ui/planted.vue',
  },
  {
    rule: 'berth/no-console',
    code: '<script setup lang="ts">\nconsole.log(1)\n</script>\n<template><p /></template>',
    file: 'web/src/ui/planted.vue',
  },
  {
    rule: '@typescript-eslint/no-floating-promises',
    code: '<template><p /></template>\n<script setup lang="ts">\nPromise.resolve(1)\n</script>',
    file: 'web/src/ui/planted.vue',
  },
]

const allowed: readonly Omit<Plant, 'rule'>[] = [
  { file: 'server/src/runtime/config/config.ts', code: 'export const port = process.env.PORT' },
  { file: 'server/src/bin/api.ts', code: 'export const port = process.env.PORT' },
  {
    file: 'server/src/runtime/clock.ts',
    code: 'export const at = Date.now()\nexport const later = setTimeout(() => undefined, 10)',
  },
  { file: shipped, code: 'export const at = new Date(0)' },
  { file: shipped, code: "export const states: ReadonlySet<string> = new Set(['on', 'off'])" },
  {
    file: shipped,
    code: 'export class Fault extends Error {}\nexport function fail(): never {\n  throw new TypeError("no")\n}',
  },
  {
    file: shipped,
    code: '// The text above is a number.\nexport const vm = JSON.parse("1") as number\nexport const states = ["on"] as const',
  },
  { file: shipped, code: many(9, (number) => `export type Part${number} = ${number}`) },
  {
    file: 'server/src/edge/graphql/vm-types.ts',
    code: `declare const ObjectType: () => ClassDecorator\n${many(6, (number) => `@ObjectType()\nexport class Part${number} {\n  name = ''\n}`)}`,
  },
  {
    file: 'server/sandbox/apiserver/patches/apply.ts',
    code: 'export const requiredManager = () => 1',
  },
  {
    file: 'server/src/store/vms.ts',
    code: 'declare const sql: (text: TemplateStringsArray) => string\nexport const rows = sql`select 1`',
  },
  {
    file: 'test/support/wait-for.ts',
    code: 'await new Promise((resolve) => setTimeout(resolve, 50))',
  },
  {
    file: 'web/src/app/console.ts',
    code: "export const badge = { label: 'Settings', title: 'Delete {name}?', path: '/vms' }",
  },
  {
    file: 'web/src/app/session.ts',
    code: 'export const header = (token: string) => `Bearer ${token}`',
  },
  { file: 'server/bootstrap/serve.js', code: 'console.log(process.env.HOME)' },
]

const tsconfig =
  '{ "compilerOptions": { "strict": true, "module": "preserve", "target": "es2024", "lib": ["es2024", "dom"] }, "include": ["**/*"] }'
const numbered = (kind: string, number: number, file: string) =>
  file.replace(/(\/)([^/]+)$/, `/${kind}-${number}-$2`)
const badFile = (number: number, plant: Omit<Plant, 'rule'>) =>
  numbered('bad', number, plant.file ?? shipped)
// A file that a ban exempts by name must keep its path.
const goodFile = (number: number, plant: Omit<Plant, 'rule'>) =>
  plant.file === shipped ? numbered('good', number, shipped) : (plant.file ?? '')

describe('lint', () => {
  let findings: readonly Finding[]

  beforeAll(async () => {
    using tree = tempTree({
      'server/tsconfig.json': tsconfig,
      'web/tsconfig.json': tsconfig,
      'test/tsconfig.json': tsconfig,
      'server/globals.d.ts': 'declare const process: { env: Record<string, string | undefined> }',
      ...Object.fromEntries(
        plants.map((plant, number) => [badFile(number, plant), `${plant.code}\n`]),
      ),
      ...Object.fromEntries(
        allowed.map((plant, number) => [goodFile(number, plant), `${plant.code}\n`]),
      ),
    })
    findings = await lintFindings(tree.root, ['server', 'web', 'test'])
  })

  test.for(plants.map((plant, number) => ({ ...plant, file: badFile(number, plant) })))(
    'the lint reports $rule in $file: $code',
    ({ rule, file }) => {
      expect(
        findings.filter((finding) => finding.file === file).map((finding) => finding.rule),
      ).toContain(rule)
    },
  )

  test.for(allowed.map((plant, number) => ({ ...plant, file: goodFile(number, plant) })))(
    'the lint accepts $file: $code',
    ({ file }) => {
      expect(findings.filter((finding) => finding.file === file)).toEqual([])
    },
  )

  test('every ban has a planted violation', () => {
    const planted = new Set(plants.map((plant) => plant.rule))
    expect(bans.filter((ban) => !planted.has(`berth/${ban.name}`))).toEqual([])
  })
})
