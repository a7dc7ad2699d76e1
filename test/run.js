// The program of `npm test`. Its steps are in run/steps.ts. It is plain JavaScript, so that an old
// Node can read it and report that it is too old.
import '../server/bootstrap/require-node.js'

const { main } = await import('./run/main.ts')
process.exitCode = await main(process.argv.slice(2))
