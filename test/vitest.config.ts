import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

// One PostgreSQL for the whole run; each test file asks it for a database of its own
// (support/postgres/database.ts).
const globalSetup = [fileURLToPath(new URL('./support/postgres/global-setup.ts', import.meta.url))]

// They share what they import and touch nothing outside: a process of its own for each would take
// longer than all of them.
const units = ['server/src/**/*.test.ts', 'server/sandbox/**/*.test.ts', 'web/src/**/*.test.ts']

// These start the sandbox as a program and talk HTTP to it.
const ofSandbox = 'server/sandbox/test/**/*.test.ts'

// These load the machine or stop processes at moments that they measure: when the others are done,
// and fewer at once.
const alone = [
  'test/faults/engine/{changes,changes-order,database-busy,embedded-postgres,nemesis,kill}.test.ts',
  'test/faults/races/{login,network-writers,storage}.test.ts',
  'test/faults/sockets/graphql-fan-out.test.ts',
  'server/sandbox/test/faults/vms-kill.test.ts',
  'server/sandbox/test/replay/replay.test.ts',
]

// They end what hangs; how long a thing may take is said where it is waited for.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }
// Files share processes: loading the server anew for each of them takes longer than their tests.
const setupFiles = [fileURLToPath(new URL('./support/each-file.ts', import.meta.url))]
const patient = {
  ...patience,
  globalSetup,
  setupFiles,
  pool: 'forks' as const,
  isolate: false,
}

export default defineConfig({
  root,
  define: { __FAILPOINTS__: 'true' },
  // As Node resolves it: vite would take the ESM twin of the copy that the other packages load, and
  // its types would not match theirs.
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
    // The processes that tests start are of few programs: each is compiled once.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') },
    projects: [
      {
        extends: true,
        test: {
          ...patience,
          name: 'units',
          include: units,
          exclude: [ofSandbox],
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...patient,
          name: 'suite',
          include: ['test/{flows,contract,faults}/**/*.test.ts', ofSandbox],
          exclude: alone,
          // Most tests wait for something: more of them than there are cores keep the machine busy.
          maxWorkers: 6,
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...patient,
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
          ...patient,
          // A page waits half of its time: for the server, for a frame, for an animation.
          maxWorkers: 3,
          testTimeout: 60_000,
          // After the suite: a browser beside all its workers measures the machine, not the
          // product.
          sequence: { groupOrder: 3 },
        },
      },
      // For who asks for them: pictures of the console.
      {
        extends: true,
        test: {
          ...patient,
          name: 'screenshots',
          include: ['test/screenshots/**/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
