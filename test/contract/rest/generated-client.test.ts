import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { beforeAll, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, adminPassword, aWorld } from '../../support/world/world.ts'

/** A program that a client with only the generated library would write. */
const program = `
import { client } from './client/client.gen.ts'
import { createVm, deleteVm, getVm, listVmTemplates, listVms, login } from './client/sdk.gen.ts'
import type { Problem } from './client/types.gen.ts'

const [url = '', username = '', password = ''] = process.argv.slice(2)
client.setConfig({ baseUrl: url })

const { data: session } = await login({ body: { username, password }, throwOnError: true })
client.setConfig({ auth: session.token })
const { data: { vm_templates: templates } } = await listVmTemplates({ query: { filter: 'cirros' }, throwOnError: true })
const template_id: string = templates[0]?.id ?? ''

const deployed = await createVm({ body: { name: 'made-by-client', template_id, memory_mi: 64 }, headers: { Prefer: 'wait=20' }, throwOnError: true })
const states = 'vm' in deployed.data ? [deployed.data.vm.state] : [deployed.data.job.status]
const { data: { vms } } = await listVms({ query: { limit: 10 }, throwOnError: true })
const address: string | undefined = vms[0]?.nics?.[0]?.ip
const { data: gone, response } = await deleteVm({ body: { name: 'made-by-client' }, throwOnError: true })

const missing = await getVm({ path: { name: 'nowhere' } })
const problem: Problem | undefined = missing.error
process.stdout.write(JSON.stringify({ states, names: vms.map(({ name }) => name), address: typeof address, gone, status: response?.status, problem: problem?.code }))
`

/** Programs with one mistake each, which prove that the types reject it. */
const mistakes = `
import { createVm, getVm } from './client/sdk.gen.ts'
// @ts-expect-error a VM has a name
await createVm({ body: { template_id: '' } })
// @ts-expect-error memory_mi is a number
await createVm({ body: { name: '', template_id: '', memory_mi: '64' } })
// @ts-expect-error the parameter is called name
await getVm({ path: { id: '' } })
const { data } = await getVm({ path: { name: '' }, throwOnError: true })
// @ts-expect-error Done is not a state
export const isDone = data.vm.state === 'Done'
`

const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '..', '..', 'node_modules', '@types')],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
}

const run = promisify(execFile)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

let world: World
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
})

test("a client that is generated from the document compiles and works through a VM's life", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-client-'))
  try {
    await mkdir(join(folder, 'client'))
    const { body: document } = await world.anonymous.rest('GET', '/openapi.json')
    await createClient({
      input: document,
      output: { path: join(folder, 'client'), importFileExtension: '.ts', tsConfigPath: null },
      logs: { level: 'silent', file: false },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    })
    await writeFile(join(folder, 'program.ts'), program)
    await writeFile(join(folder, 'mistakes.ts'), mistakes)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['.'] }),
    )
    const { slug } = await world.tenant('acme')
    expect(
      await run(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => error),
    ).toMatchObject({ stdout: '' })
    const { stdout } = await run(process.execPath, [
      join(folder, 'program.ts'),
      world.url,
      `${slug}-admin`,
      adminPassword,
    ])
    expect(JSON.parse(stdout)).toEqual({
      states: ['Running'],
      names: ['made-by-client'],
      address: 'string',
      gone: { success: true },
      status: 200,
      problem: 'not_found',
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('every operation of the document has a unique operation id that is a method name', async () => {
  const { paths } = (await world.anonymous.rest('GET', '/openapi.json')).body
  const ids = Object.values<object>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId as string),
  )
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
