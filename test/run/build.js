// Runs the same build as `npm start`, as a separate step.
import { buildWhatChanged } from '../../server/bootstrap/build.js'

try {
  await buildWhatChanged(process.stdout)
} catch (error) {
  process.stdout.write(`${error.message}\n`)
  process.exitCode = 1
}
