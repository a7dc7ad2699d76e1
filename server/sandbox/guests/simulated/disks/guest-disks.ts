import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { type GuestVmi, type GuestVmiDisk } from '../../guest.ts'
import { readDisk, writeDisk } from './disk-state.ts'
import { type FileSystem, type Tree, savedTree, treeIn, treeOn } from './file-system.ts'

/** State of a simulated guest that is stored on its root disk beside its files. */
export interface RootState {
  /** The instance ID for which cloud-init ran. Another ID means a first boot. */
  instance: string
  users: JsonMap[]
  hostname: string
}

const imageBytes = 10 * 2 ** 30

/**
 * The root disk of a simulated guest. It is stored on the VM's volume, or in a file that ends with
 * the VMI.
 */
export class RootDisk {
  readonly system: FileSystem
  readonly #path: string
  readonly #ownPath: string
  #isHeld = false
  state: RootState

  constructor(vmi: GuestVmi, folder: string) {
    const disk = vmi.disks.find(({ target }) => target === vmi.bootDisk)
    this.#ownPath = join(folder, `${vmi.id}.root`)
    this.#path = disk?.path ?? this.#ownPath
    const content = readDisk(this.#path)
    const { instance, users, hostname } = read.map(content?.root)
    this.state = {
      instance: read.text(instance),
      users: read.maps(users),
      hostname: read.text(hostname),
    }
    const tree: Tree = content
      ? treeIn(read.map(content.files))
      : new Map([
          ['/etc', null],
          ['/home', null],
          ['/mnt', null],
          ['/root', null],
          ['/srv', null],
          ['/tmp', null],
          ['/dev', null],
        ])
    const bytes = disk?.path ? disk.bytes : imageBytes
    this.system = {
      tree,
      device: `/dev/${vmi.bootDisk}1`,
      type: 'ext4',
      bytes,
      save: () => this.save(),
    }
  }

  save(): void {
    if (!this.#isHeld)
      writeDisk(this.#path, { files: savedTree(this.system.tree), root: this.state })
  }

  /** Runs the work and then saves once, instead of after each change. */
  savingOnce<T>(work: () => T): T {
    this.#isHeld = true
    try {
      return work()
    } finally {
      this.#isHeld = false
      this.save()
    }
  }

  /** Removes the file of a root disk that is not a volume. */
  remove(): void {
    rmSync(this.#ownPath, { force: true })
  }
}

/** Returns the file system on a data disk; null when the disk is not formatted. */
export function dataSystem(disk: GuestVmiDisk): FileSystem | null {
  const { path } = disk
  const tree = path === null ? null : treeOn(readDisk(path))
  if (path === null || !tree) return null
  const save = (): void => writeDisk(path, { files: savedTree(tree) })
  return { tree, device: `/dev/${disk.target}`, type: 'ext4', bytes: disk.bytes, save }
}

export const formatDisk = (path: string): void => writeDisk(path, { files: {} })
