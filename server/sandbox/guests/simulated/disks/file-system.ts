import { type JsonMap, isMap } from '../../../objects/types.ts'

/** Files and folders of one file system; a folder's content is null. */
export type Tree = Map<string, string | null>

/** One file system and what to call when it changed. */
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

/** What a disk says when it holds one of our file systems. */
export const treeOn = (content: JsonMap | null): Tree | null =>
  content && isMap(content.files) ? treeIn(content.files) : null
