import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown'
import { minifySync } from 'rolldown/utils'

const folder = import.meta.dirname
const insideChunk = 'kubernetes-client'

// Packages are loaded from node_modules, because bundling graphql makes two copies of it. Let in
// are the decorators' runtime and the Kubernetes client, which takes half the memory as one
// minified file: 40 instead of 89 MB. The server's node_modules do not have the packages that only
// the sandbox has.
const bundled =
  /^(@oxc-project\/runtime|@kubernetes\/client-node|@marcbachmann\/cel-js|unixcrypt)(\/|$)/
const fromPackage = /[\\/]node_modules[\\/]/
const bare = /^[^./\\\0]/

const external = (id: string, importer: string | undefined): boolean => {
  if (id.startsWith('node:')) return true
  if (importer && fromPackage.test(importer)) return false
  return bare.test(id) && !bundled.test(id)
}

// Only the foreign chunk: our own code stays readable in stack traces.
const minifyClient: Plugin = {
  name: 'minify-kubernetes-client',
  renderChunk: (code, chunk) =>
    chunk.name === insideChunk
      ? { code: minifySync(chunk.fileName, code, { module: true }).code }
      : null,
}

const shared = {
  platform: 'node',
  external,
  tsconfig: true,
  transform: { define: { __FAILPOINTS__: 'false' } },
  plugins: [minifyClient],
} satisfies RolldownOptions

const output = {
  dir: join(folder, 'dist'),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: { groups: [{ name: insideChunk, test: fromPackage }] },
} satisfies RolldownOptions['output']

const bin = join(folder, 'src', 'bin')
const programs = readdirSync(bin).filter((name) => readsAsProgram(name))

function readsAsProgram(name: string): boolean {
  return [
    'start.ts',
    'api.ts',
    'worker.ts',
    'migrate.ts',
    'config.ts',
    'emit-schema.ts',
    'reset-root-password.ts',
  ].includes(name)
}

const server: RolldownOptions = {
  ...shared,
  input: Object.fromEntries(programs.map((name) => [name.replace(/\.ts$/, ''), join(bin, name)])),
  output,
}

// The sandbox is another package and must share no chunk with the server.
const sandboxEntry = join(folder, 'sandbox', 'main.ts')
const sandbox: RolldownOptions = {
  ...shared,
  input: { sandbox: sandboxEntry },
  output: {
    ...output,
    chunkFileNames: 'sandbox-[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'packages', test: fromPackage }] },
  },
}

export default defineConfig(existsSync(sandboxEntry) ? [server, sandbox] : [server])
