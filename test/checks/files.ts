import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', '.git', '.berth', '.berth-dev', '.cache'])

/** Returns every file of the tree that could be committed, as paths from the root. */
export function filesOf(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesOf(root, path)
    return entry.isFile() ? [path] : []
  })
}
