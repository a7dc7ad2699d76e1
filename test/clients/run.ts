import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { startBerth } from './berth.ts'
import { type Client, expectedResult } from './client.ts'
import { type Command, isInstalled, run } from './command.ts'
import { graphqlClients } from './graphql-clients.ts'
import { lints } from './lints.ts'
import { restClients } from './rest-clients.ts'

/*
 * Checks the committed contract with the tools of its users: linters, generators of clients, and
 * programs that deploy a VM with these clients. `npm run clients` runs it, and `npm run clients --
 * spectral apollo` runs a part. It is no part of `npm test`, because it downloads these tools and
 * needs Go, Python and Java.
 */
const root = join(import.meta.dirname, '..', '..')
const contract = {
  openApi: join(root, 'schema', 'rest.openapi.json'),
  sdl: join(root, 'schema', 'schema.graphql'),
}

interface Check {
  name: string
  needs: readonly Command[]
  run: (folder: string) => void
}

/** Runs a check in a folder of its own. A check whose programs are not installed is skipped. */
function report(check: Check, folder: string): void {
  const missing = check.needs.find((command) => !isInstalled(command))
  if (missing) return say(`skipped  ${check.name}: ${missing[0]} is not installed`)
  mkdirSync(folder)
  // Without this file npm installs into a folder above.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  try {
    check.run(folder)
    say(`passed   ${check.name}`)
  } catch (error) {
    process.exitCode = 1
    say(`failed   ${check.name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Returns a check that the program of a client has the expected result. */
const checkOf = (client: Client, settings: Record<string, string>): Check => ({
  ...client,
  run(folder) {
    const vm = client.name.toLowerCase().replaceAll(/\W+/g, '-')
    const printed = client.run({ ...contract, folder, settings: { ...settings, BERTH_VM: vm } })
    if (!isDeepStrictEqual(JSON.parse(printed), expectedResult))
      throw new Error(`the program printed ${printed}`)
  },
})

const words = process.argv.slice(2)
const isSelected = ({ name }: { name: string }): boolean =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()))

const folder = mkdtempSync(join(tmpdir(), 'berth-clients-'))
try {
  for (const lint of lints.filter(isSelected))
    report(
      { ...lint, run: (own) => lint.run({ ...contract, folder: own }) },
      join(folder, lint.name),
    )
  const clients = [...restClients, ...graphqlClients].filter(isSelected)
  if (clients.length > 0) await runClients(clients)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function runClients(clients: readonly Client[]): Promise<void> {
  run([process.execPath, join('test', 'run', 'build.js')], root)
  await using berth = await startBerth(folder)
  const settings = { BERTH_URL: berth.url, BERTH_TOKEN: berth.token }
  for (const [index, client] of clients.entries())
    report(checkOf(client, settings), join(folder, String(index)))
}
