import { buildWhatChanged } from '../../../server/bootstrap/build.js'

// Plain JavaScript like the build itself. Vitest runs it before the tests that start the sandbox.
export default () => buildWhatChanged(process.stderr, ['server'])
