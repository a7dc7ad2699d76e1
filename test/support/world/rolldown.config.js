import { join } from 'node:path'
import { buildOf } from '../../../server/rolldown.config.ts'

/*
 * The worker of the fault tests as one program with all its packages. It starts with half of the
 * processor time that its sources need, and a run of all tests starts it more than a hundred
 * times. Failpoints stay in it.
 */
const server = join(import.meta.dirname, '..', '..', '..', 'server')

// The server looks these up in node_modules.
const external = /^(node:|pg(\/|$)|pg-protocol(\/|$))/

const build = buildOf({
  input: { worker: join(import.meta.dirname, 'worker.ts') },
  dir: join(server, 'node_modules', '.cache', 'test-worker'),
  packagesChunk: 'packages',
})

export default {
  ...build,
  external,
  transform: { define: { __FAILPOINTS__: 'true' } },
  // No package.json in that folder says that its files are modules.
  output: { ...build.output, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
}
