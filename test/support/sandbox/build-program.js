import { buildWhatChanged } from '../../../server/bootstrap/build.js'

// Plain JavaScript like the build itself. Vitest runs it for each project of a run, before the tests
// that start the sandbox; all projects share one build.
export default () => (globalThis.berthServerBuild ??= buildWhatChanged(process.stderr, ['server']))
