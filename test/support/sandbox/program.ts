import { fileURLToPath } from 'node:url'

/**
 * The built program of the sandbox. It starts with a quarter of the processor time that its sources
 * need, and a run of all tests starts it some hundred times. `build-program.js` builds it before.
 */
export const sandboxProgram = fileURLToPath(
  new URL('../../../server/dist/sandbox.js', import.meta.url),
)
