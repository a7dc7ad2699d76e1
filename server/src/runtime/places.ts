import { join } from 'node:path'

// As built, every file lies directly in server/dist; from source, this one lies in
// server/src/runtime.
const isSource = import.meta.filename.endsWith('.ts')
const server = join(import.meta.dirname, ...(isSource ? ['..', '..'] : ['..']))

/** Where the other parts of this installation lie. */
export const places = {
  sandboxEntry: isSource ? join(server, 'sandbox', 'main.ts') : join(server, 'dist', 'sandbox.js'),
  console: join(server, '..', 'web', 'dist'),
} as const
