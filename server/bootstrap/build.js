import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const sharedSources = ['pnpm-lock.yaml', 'tsconfig.base.json']

const products = [
  {
    what: 'Building the console',
    folder: 'web',
    output: 'web/dist',
    sources: [
      'web/src',
      'web/public',
      'web/index.html',
      'web/vite.config.ts',
      'web/first-load.ts',
      'web/package.json',
      'web/tsconfig.json',
      'schema/schema.graphql',
      'schema/messages',
    ],
    command: ['web/node_modules/vite/bin/vite.js', 'build'],
  },
  {
    what: 'Building the server',
    folder: 'server',
    output: 'server/dist',
    sources: [
      // package.json holds the version.
      'package.json',
      'server/src',
      'server/sandbox',
      'schema/messages',
      'schema/rest-examples.json',
      'server/rolldown.config.ts',
      'server/package.json',
      'server/tsconfig.json',
    ],
    command: ['server/node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts'],
  },
]

/**
 * Builds each product that is missing or whose sources changed, and writes each step to `screen`.
 * Throws an Error whose message is one sentence.
 */
export async function buildWhatChanged(screen, folders = ['server', 'web']) {
  const chosen = products.filter(({ folder }) => folders.includes(folder))
  await Promise.all(chosen.filter(hasSources).map((product) => buildIfChanged(product, screen)))
}

// A container image has the build results but not the sources.
const hasSources = (product) => existsSync(join(root, product.folder, 'src'))

/** Builds one product into its own folder `output`, unless a build of the same sources is there. */
export async function buildIfChanged(product, screen) {
  const stampFile = join(root, product.output, '.stamp')
  const stamp = stampOf(product.sources)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const started = performance.now()
  // A build without its stamp does not count, so a build that is killed half-way is repeated.
  rmSync(dirname(stampFile), { recursive: true, force: true })
  mkdirSync(dirname(stampFile), { recursive: true })
  await run(product)
  writeFileSync(stampFile, stamp)
  screen.write(`${product.what} … ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

function run(product) {
  const [script, ...args] = product.command
  const options = {
    cwd: join(root, product.folder),
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NODE_ENV: 'production' },
  }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(root, script), ...args], options, (error, stdout, stderr) => {
      if (!error) return resolve()
      const output = `${stdout}\n${stderr}`.trim()
      const noSpace = /ENOSPC|No space left/i.test(output)
      const cause = noSpace ? Object.assign(new Error('no space'), { code: 'ENOSPC' }) : undefined
      reject(new Error(`${product.what} failed:\n${output}`, { cause }))
    })
  })
}

/**
 * Hashes the contents of the sources and not their times: a fresh checkout of the same commit needs
 * no build.
 */
function stampOf(sources) {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...sharedSources, ...sources].flatMap(filesUnder).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesUnder(path) {
  const names = listing(path)
  if (names === null) return existsSync(join(root, path)) ? [path] : []
  return names
    .filter((name) => name !== 'node_modules' && !/\.test\.ts$/.test(name))
    .flatMap((name) => filesUnder(`${path}/${name}`))
}

function listing(path) {
  try {
    return readdirSync(join(root, path))
  } catch (error) {
    if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return null
    throw error
  }
}
