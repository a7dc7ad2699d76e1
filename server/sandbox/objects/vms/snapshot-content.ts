import { type JsonMap, type KubeObject } from '../types.ts'
import { read } from '../read.ts'

/** True when a VM snapshot, or its content, can be restored. */
export const isReady = (object: KubeObject): boolean => read.status(object).readyToUse === true

/**
 * True when a content is deleted with its snapshot. A content that never became ready always is.
 */
export const isDeletedWith = (snapshot: KubeObject, content: KubeObject): boolean =>
  (read.spec(snapshot).deletionPolicy ?? 'Delete') === 'Delete' || !isReady(content)

/** Returns the name of the VirtualMachineSnapshotContent of a VM snapshot. */
export const contentName = (snapshot: KubeObject): string => {
  const boundName = read.text(read.status(snapshot).virtualMachineSnapshotContentName)
  return boundName === '' ? `vmsnapshot-content-${snapshot.metadata.uid}` : boundName
}

/** The VM as it was when the snapshot was taken. */
export const copiedVm = (content: KubeObject): JsonMap =>
  read.map(read.at(content, 'spec', 'source', 'virtualMachine'))
