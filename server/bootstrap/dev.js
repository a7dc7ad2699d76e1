// What `npm run dev` runs. This file is plain so that an old Node can read it and say what is
// missing.
import './require-node.js'

const { develop } = await import('./dev/main.ts')
await develop(process.argv.slice(2))
