import { buildIfChanged } from '../../../server/bootstrap/build.js'

const worker = {
  what: 'Building the worker of the fault tests',
  folder: 'server',
  output: 'server/node_modules/.cache/test-worker',
  sources: [
    'server/src',
    'schema/messages',
    'server/rolldown.config.ts',
    'server/package.json',
    'server/tsconfig.json',
    'test/support/world/worker.ts',
    'test/support/world/rolldown.config.js',
  ],
  command: [
    'server/node_modules/rolldown/bin/cli.mjs',
    '--config',
    '../test/support/world/rolldown.config.js',
  ],
}

// Plain JavaScript like the build itself. Vitest runs it for each project of a run, before the
// tests that start the worker; all projects share one build.
export default () => (globalThis.berthWorkerBuild ??= buildIfChanged(worker, process.stderr))
