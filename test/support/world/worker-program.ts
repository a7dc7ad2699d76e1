import { fileURLToPath } from 'node:url'

/** The built program of `worker.ts`. `build-worker.js` builds it before the tests. */
export const workerProgram = fileURLToPath(
  new URL('../../../server/node_modules/.cache/test-worker/worker.mjs', import.meta.url),
)
