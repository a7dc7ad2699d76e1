// The entry of `npm run dev`. This file is plain JavaScript, so an old Node can read it and report
// that it is too old.
import './require-node.js'

const { develop } = await import('./dev/main.ts')
await develop(process.argv.slice(2))
