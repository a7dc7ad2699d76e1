import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin, type BuildOptions } from 'rolldown'
import { minifySync } from 'rolldown/utils'

const folder = import.meta.dirname
const insideChunk = 'kubernetes-client'

// Packages are loaded from node_modules, because bundling graphql makes two copies of it. Let in
// are the decorators' runtime and the Kubernetes client, of which only the kubeconfig is kept
// (decision 0075). The server's node_modules do not have the packages that only the sandbox has.
const bundled =
  /^(@oxc-project\/runtime|@kubernetes\/client-node|@marcbachmann\/cel-js|unixcrypt)(\/|$)/
const ofClient = /[\\/]@kubernetes[\\/]client-node[\\/]/
const fromPackage = /[\\/]node_modules[\\/]/
const bare = /^[^./\\\0]/

const external = (id: string, importer: string | undefined): boolean => {
  if (id.startsWith('node:')) return true
  if (importer && fromPackage.test(importer)) return false
  return bare.test(id) && !bundled.test(id)
}

// Only the foreign chunk is minified: our own code stays readable. A source map of that chunk would
// be larger than all other maps together and no longer fit its minified text.
const minifyClient: Plugin = {
  name: 'minify-kubernetes-client',
  renderChunk: (code, chunk) =>
    chunk.name === insideChunk
      ? { code: minifySync(chunk.fileName, code, { module: true }).code, map: { mappings: '' } }
      : null,
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk' || part.name !== insideChunk) continue
      Reflect.deleteProperty(bundle, `${part.fileName}.map`)
      part.code = part.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
    }
  },
}

// The server sends its requests itself, so undici, which is half of the client, is never reached.
const withoutUndici: Plugin = {
  name: 'kubernetes-client-without-undici',
  resolveId: (id) => (id === 'undici' ? '\0undici' : null),
  load: (id) => (id === '\0undici' ? unreached : null),
}
const unreached = `
export function Agent() { throw new TypeError('The build of the Kubernetes client has no undici.') }
export { Agent as ProxyAgent, Agent as fetch }`

const migrations = join(folder, 'src', 'store', 'migrations')

/** `store/migrate.ts` reads the SQL files of the folder beside it, so a build copies them. */
export const shipMigrations: Plugin = {
  name: 'ship-migrations',
  transform: {
    filter: { id: /[\\/]store[\\/]migrate\.ts$/ },
    handler() {
      this.addWatchFile(migrations)
      for (const file of readdirSync(migrations)) {
        const path = join(migrations, file)
        this.addWatchFile(path)
        this.emitFile({
          type: 'asset',
          fileName: `migrations/${file}`,
          source: readFileSync(path, 'utf8'),
        })
      }
      return null
    },
  },
}

interface Programs {
  /** Entry files by the name of their program. */
  input: Record<string, string>
  dir: string
  /** The chunk that holds the bundled packages; one name per program group in the same folder. */
  packagesChunk?: string
  /** Keeps the chunks of two packages apart that are built into one folder. */
  chunkPrefix?: string
}

/** The sandbox is another package and must share no chunk with the server. */
export const inSandbox = { packagesChunk: 'packages', chunkPrefix: 'sandbox-' }

/** How every program of this repository is built, for production and for `npm run dev`. */
export function buildOf({
  input,
  dir,
  packagesChunk = insideChunk,
  chunkPrefix = '',
}: Programs): BuildOptions {
  return {
    input,
    platform: 'node',
    external,
    tsconfig: join(folder, 'tsconfig.json'),
    transform: { define: { __FAILPOINTS__: 'false' } },
    plugins: [withoutUndici, minifyClient, shipMigrations],
    treeshake: { moduleSideEffects: [{ test: ofClient, sideEffects: false }] },
    output: {
      dir,
      entryFileNames: '[name].js',
      chunkFileNames: `${chunkPrefix}[name]-[hash].js`,
      codeSplitting: { groups: [{ name: packagesChunk, test: fromPackage }] },
      sourcemap: true,
      // The sources lie beside the build; without their text the maps are half as large.
      sourcemapExcludeSources: true,
    },
  }
}

const dist = join(folder, 'dist')
const names = ['start', 'api', 'worker', 'migrate', 'config', 'emit-schema', 'reset-root-password']
const entryOf = (name: string): string => join(folder, 'src', 'bin', `${name}.ts`)
const sandbox = join(folder, 'sandbox', 'main.ts')

export default defineConfig([
  buildOf({ input: Object.fromEntries(names.map((name) => [name, entryOf(name)])), dir: dist }),
  ...(existsSync(sandbox) ? [buildOf({ input: { sandbox }, dir: dist, ...inSandbox })] : []),
])
