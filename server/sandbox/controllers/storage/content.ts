import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface ContentLocation {
  /** The folder with one file per volume and snapshot. The sandbox stores no content without it. */
  disks?: string
}

/** The CSI handles that the sandbox generates. No path leaves the folder through other text. */
const handles = /^(pvc|snapcontent)-[0-9a-f-]{36}$/

/**
 * The content of simulated volumes and snapshots: a file for each CSI handle. Imports and copies
 * write the files, and guests use them as their disks.
 */
export const content = {
  /** Returns the file of a handle; null when nothing is stored for it. */
  path: ({ disks }: ContentLocation, handle: string): string | null =>
    disks === undefined || !handles.test(handle) ? null : join(disks, handle.replace(/^pvc-/, '')),

  /** Copies atomically, so that a copy interrupted by a kill is made again. */
  copy(location: ContentLocation, from: string, to: string): void {
    const [source, target] = [content.path(location, from), content.path(location, to)]
    if (source === null || target === null) return
    mkdirSync(location.disks ?? '', { recursive: true, mode: 0o700 })
    for (const suffix of ['.json', '']) {
      if (!existsSync(source + suffix)) continue
      copyFileSync(source + suffix, `${target}.part`, constants.COPYFILE_FICLONE)
      renameSync(`${target}.part`, target + suffix)
    }
  },

  erase(location: ContentLocation, handle: string): void {
    const path = content.path(location, handle)
    if (path !== null)
      for (const suffix of ['', '.part', '.json']) rmSync(path + suffix, { force: true })
  },
}
