// The program of `npm run bench`. It is plain JavaScript, so that an old Node can read it and
// report that it is too old.
import '../../server/bootstrap/require-node.js'
import { buildWhatChanged } from '../../server/bootstrap/build.js'

try {
  await buildWhatChanged(process.stderr)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))
