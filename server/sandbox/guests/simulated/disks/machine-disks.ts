import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { type Machine, type MachineDisk } from '../../guest.ts'
import { readDisk, writeDisk } from './disk-state.ts'
import { type FileSystem, type Tree, savedTree, treeIn, treeOn } from './file-system.ts'

/** What a guest keeps beside its files. */
export interface RootNotes {
  /** For which machine cloud-init has done its work. */
  instance: string
  users: JsonMap[]
  hostname: string
}

const imageBytes = 10 * 2 ** 30

/**
 * The root of a guest: on its disk where the disk is a volume, else in a file that ends with the
 * machine.
 */
export class RootDisk {
  readonly system: FileSystem
  readonly #path: string
  readonly #ownPath: string
  #isHeld = false
  notes: RootNotes

  constructor(machine: Machine, folder: string) {
    const disk = machine.disks.find(({ target }) => target === machine.bootDisk)
    this.#ownPath = join(folder, `${machine.id}.root`)
    this.#path = disk?.path ?? this.#ownPath
    const content = readDisk(this.#path)
    const { instance, users, hostname } = read.map(content?.root)
    this.notes = {
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
      device: `/dev/${machine.bootDisk}1`,
      type: 'ext4',
      bytes,
      save: () => this.save(),
    }
  }

  save(): void {
    if (!this.#isHeld)
      writeDisk(this.#path, { files: savedTree(this.system.tree), root: this.notes })
  }

  /** What changes meanwhile is written once, after it. */
  savingOnce<T>(work: () => T): T {
    this.#isHeld = true
    try {
      return work()
    } finally {
      this.#isHeld = false
      this.save()
    }
  }

  /** Takes away what does not lie on a volume. */
  remove(): void {
    rmSync(this.#ownPath, { force: true })
  }
}

/** The file system on a disk that is not the root; null when there is none. */
export function dataSystem(disk: MachineDisk): FileSystem | null {
  const { path } = disk
  const tree = path === null ? null : treeOn(readDisk(path))
  if (path === null || !tree) return null
  const save = (): void => writeDisk(path, { files: savedTree(tree) })
  return { tree, device: `/dev/${disk.target}`, type: 'ext4', bytes: disk.bytes, save }
}

export const formatDisk = (path: string): void => writeDisk(path, { files: {} })
