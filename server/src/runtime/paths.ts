import { join } from 'node:path'

// In a build, every file is directly in server/dist. In the sources, this one is in
// server/src/runtime.
const isSource = import.meta.filename.endsWith('.ts')
const server = join(import.meta.dirname, ...(isSource ? ['..', '..'] : ['..']))

/** Paths of the other parts of this installation. */
export const installationPaths = {
  sandboxEntry: isSource ? join(server, 'sandbox', 'main.ts') : join(server, 'dist', 'sandbox.js'),
  console: join(server, '..', 'web', 'dist'),
} as const
