import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../server/src/runtime/config/config.ts'
import { kubeClientOf } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWorld, rootPassword } from '../../support/world/world.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  )

const run = promisify(execFile)

test('the script of the readme prints the documented results', async () => {
  const world = await aWorld()
  await waitFor(
    async () =>
      (await world.root.ask('{ tenants { nodes { state } } }')).tenants.nodes[0].state === 'active',
    {
      what: 'the first tenant to open',
    },
  )
  const script = blocks('sh').find((block) => block.includes('/api/v1/auth/login')) ?? ''
  const here = script.replace('http://localhost:8080', world.url)
  expect(here).not.toBe(script)
  const env = { ...process.env, BERTH_ROOT_PASSWORD: rootPassword }
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', here], { env, timeout: 90_000 })
  expect(stdout).toContain('"slug":"default"')
  expect(stdout).toContain('"slug":"acme"')
  expect(stdout).toContain('"targetName":"acme"')
  expect(stdout).toContain('"vm":{"name":"hello","state":"Running"')
  expect(stdout).toMatch(/"velas_url":""\}\n\{"success":true\}\n$/)
})

test('the configuration of the readme is valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-readme-'))
  writeFileSync(join(folder, 'berth.yaml'), blocks('yaml')[0] ?? '')
  expect(loadConfig({ cwd: folder, env: {} }).server.publicUrl).toBe('https://cloud.example.com')
})

test('each command and file that the readme names exists', () => {
  // The file is part of this repository, so `scripts` is a record of strings.
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = [
    ...readme.matchAll(/npm (?:run )?(start|test|bench|berth|schema|sandbox)\b/g),
  ].map(([, name]) => name ?? '')
  expect(new Set(commands)).toEqual(
    new Set(['start', 'test', 'bench', 'berth', 'schema', 'sandbox']),
  )
  for (const name of commands) expect(scripts).toHaveProperty(name)
  for (const [, file] of readme.matchAll(/\]\(([^)#:]+)\)/g))
    expect(existsSync(join(root, file ?? '')), file).toBe(true)
})

test('the standalone sandbox prints a kubeconfig that reaches it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'berth-readme-'))
  const child = spawn(process.execPath, [join(root, 'server', 'sandbox', 'main.ts')], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await waitFor(() => printed.endsWith('}\n'))
  const kubeconfig = join(cwd, 'kubeconfig')
  writeFileSync(kubeconfig, printed)
  const sandbox = await kubeClientOf(kubeconfig)
  expect((await sandbox.call('/api/v1/nodes')).body.items.length).toBeGreaterThan(0)
  sandbox.close()
  child.kill('SIGINT')
  await ended
})
