// What `npm test` runs. The steps stand in run/steps.ts; this file is plain so that an old Node can
// read it and say what is missing.
import '../server/bootstrap/require-node.js'

const { main } = await import('./run/main.ts')
process.exitCode = await main(process.argv.slice(2))
