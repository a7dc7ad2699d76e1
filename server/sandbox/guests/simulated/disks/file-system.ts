import { type JsonMap, isMap } from '../../../objects/types.ts'

/** The files and folders on a disk of a simulated guest, by path. A folder has null as content. */
export type Tree = Map<string, string | null>

/** A file system. Call `save` after each change of its tree. */
export interface FileSystem {
  tree: Tree
  /** `/dev/vda1` */
  device: string
  type: string
  bytes: number
  save(): void
}

export const treeIn = (content: JsonMap): Tree =>
  new Map(
    Object.entries(content).filter(
      (entry): entry is [string, string | null] =>
        entry[1] === null || typeof entry[1] === 'string',
    ),
  )

export const savedTree = (tree: Tree): JsonMap => Object.fromEntries(tree)

/** Returns the file system on a disk; null when the disk is not formatted. */
export const treeOn = (content: JsonMap | null): Tree | null =>
  content && isMap(content.files) ? treeIn(content.files) : null
