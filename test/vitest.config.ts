import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './run/longest-first.ts'

// The test projects of `npm test`. The tests of the checks have a configuration of their own.

const root = fileURLToPath(new URL('..', import.meta.url))

// One PostgreSQL serves the whole run. Each test file gets its own database from it
// (support/postgres/database.ts).
const globalSetup = [
  './support/postgres/global-setup.ts',
  // Most tests start the built sandbox.
  './support/sandbox/build-program.js',
  // The fault tests start the built worker.
  './support/world/build-worker.js',
].map((path) => fileURLToPath(new URL(path, import.meta.url)))

// Unit tests share their imports and touch nothing outside. One process per file would take longer
// than all tests.
const units = ['server/src/**/*.test.ts', 'server/sandbox/**/*.test.ts', 'web/src/**/*.test.ts']

// These tests start the sandbox as a program and talk HTTP to it.
const sandboxTests = 'server/sandbox/test/**/*.test.ts'

// These tests load the machine or stop processes at measured moments. They run after the other
// tests, with fewer workers.
const alone = [
  'test/faults/engine/{changes,changes-order,database-busy,embedded-postgres,nemesis,kill}.test.ts',
  'test/faults/races/{login,network-writers,storage}.test.ts',
  'test/faults/sockets/graphql-fan-out.test.ts',
  'test/faults/workers/builds-side-by-side.test.ts',
  'server/sandbox/test/faults/vms-kill.test.ts',
  'server/sandbox/test/replay/replay.test.ts',
]

// These limits end hanging tests. Each wait in a test sets its own deadline.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 }
const setupFiles = [fileURLToPath(new URL('./support/each-file.ts', import.meta.url))]
// Files share processes, because loading the server again for each file takes longer than its
// tests.
const shared = {
  ...timeouts,
  globalSetup,
  setupFiles,
  pool: 'forks' as const,
  isolate: false,
}
// Most tests wait, so more workers than cores keep the machine busy. Projects that run at the same
// time must agree on this number.
const sideBySide = { maxWorkers: 6, maxConcurrency: 12, sequence: { groupOrder: 1 } }

export default defineConfig({
  root,
  define: { __FAILPOINTS__: 'true' },
  // Resolves graphql like Node. Vite would load its ESM copy beside the CommonJS copy of the other
  // packages, and their types would not match.
  resolve: {
    alias: [
      {
        find: /^graphql$/,
        replacement: createRequire(join(root, 'server', 'package.json')).resolve('graphql'),
      },
    ],
  },
  test: {
    watch: false,
    sequence: { sequencer: LongestFirst },
    // Tests start a few programs many times, so their compiled code is cached.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') },
    projects: [
      {
        extends: true,
        test: {
          ...timeouts,
          name: 'units',
          include: units,
          exclude: [sandboxTests],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      // The public interfaces of pg and MikroORM give the same results as their internals.
      {
        extends: true,
        test: {
          ...shared,
          name: 'plain',
          include: [
            'test/flows/platform/{store-unit,idempotency}.test.ts',
            'test/flows/tenant/{isolation,quota}.test.ts',
            'test/flows/identity/session.test.ts',
          ],
          ...sideBySide,
          env: { BERTH_TEST_DATABASE_DRIVER: 'plain' },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'suite',
          include: ['test/{flows,contract,faults}/**/*.test.ts', sandboxTests],
          exclude: alone,
          ...sideBySide,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'alone',
          include: alone,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          ...shared,
          // A page spends half of its time waiting: for the server, a frame or an animation.
          maxWorkers: 3,
          testTimeout: 60_000,
          // The browser tests run after the suite. Beside its workers they would measure the load
          // of the machine.
          sequence: { groupOrder: 3 },
        },
      },
      // This project runs only on request. It takes the pictures of the console.
      {
        extends: true,
        test: {
          ...shared,
          name: 'screenshots',
          include: ['test/screenshots/**/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
